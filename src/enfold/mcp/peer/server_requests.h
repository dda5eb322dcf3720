// SPDX-License-Identifier: Apache-2.0
// What a client does with the requests and notifications that a server sends.
#pragma once

#include "enfold/mcp/peer/client_handshake.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enfold::mcp {

class OpenCalls;

/// The requests of a server that the application has not answered yet: JSON-RPC requests in the
/// session era, parts of a result in the stateless era. The application sees one form.
class ServerRequests {
 public:
  ServerRequests(const ClientConfig& config, ClientWriter& writer, OpenCalls& calls)
      : config_(config), writer_(writer), calls_(calls) {}

  /// Session era only; else the request is ignored. `about`: the call on whose stream it came.
  [[nodiscard]] ClientActions receive(Request request, std::optional<CallKey> about);
  /// Handles a result that requires input. If this returns an error, the caller must end the call.
  [[nodiscard]] Result<ClientActions> require_input(CallKey key, json::View result, Time now);
  /// Sends the application's answer. An error of the application cannot be sent in the stateless
  /// era: then a NoAnswerReport is returned, and the caller must end the call with it.
  [[nodiscard]] tl::expected<ClientActions, NoAnswerReport> answer(ServerRequestKey key,
                                                                   ResultOrError outcome, Time now);

  /// The server has cancelled its request with this id (session era).
  [[nodiscard]] ClientActions cancelled(const Id& id);
  /// The call has ended: its input requests need no answer.
  [[nodiscard]] ClientActions withdraw_inputs(CallKey key);
  /// The connection has ended: no request needs an answer.
  [[nodiscard]] ClientActions withdraw_all();

  /// The timeouts in force. In the session era there are no idle timeouts while the server waits
  /// for an answer of the client.
  enum class Timeouts { all, without_idle };
  [[nodiscard]] Timeouts timeouts() const {
    return open_in_session_ > 0 ? Timeouts::without_idle : Timeouts::all;
  }

 private:
  struct OpenRequest {
    ServerRequestKey key;
    std::optional<Id> id;  ///< session era: of the JSON-RPC request; nullopt: stateless era
    /// Stateless era: the call to repeat with the answer. Session era: the call on whose stream the
    /// request came; nullopt: not known.
    std::optional<CallKey> call;
    std::string input;  ///< InputRequest::key
  };

  /// Opens a request and returns its report to the application.
  [[nodiscard]] ClientAction add(std::optional<Id> id, std::optional<CallKey> call,
                                 InputRequest request);
  [[nodiscard]] OpenRequest remove(std::vector<OpenRequest>::iterator open);

  const ClientConfig& config_;
  ClientWriter& writer_;
  OpenCalls& calls_;
  std::vector<OpenRequest> open_;
  std::size_t open_in_session_ = 0;  ///< number of the open requests with an id
  std::uint64_t last_key_ = 0;       ///< the ServerRequestKey that was given last
};

/// Reports a notification that does not change the state of the peer; nothing if it is malformed.
[[nodiscard]] ClientActions report_notification(Notification notification);

}  // namespace enfold::mcp

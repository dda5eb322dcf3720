// SPDX-License-Identifier: Apache-2.0
// What a server sends to a client on its own: requests, which the client answers, and
// notifications.
#pragma once

#include "enfold/mcp/peer/client_handshake.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enfold::mcp {

class OpenCalls;

/// The requests of a server to the client: sent as requests in a session, inside a result in the
/// stateless era. The application sees one form.
class ServerRequests {
 public:
  ServerRequests(const ClientConfig& config, ClientWriter& writer, OpenCalls& calls)
      : config_(config), writer_(writer), calls_(calls) {}

  /// A request in a session. `about`: the call on whose stream it came.
  [[nodiscard]] ClientActions receive(Request request, std::optional<CallKey> about);
  /// A result that requires input. An error ends the call.
  [[nodiscard]] Result<ClientActions> require_input(CallKey key, json::View result, Time now);
  /// `LossReport`: the call ends, because its input was refused.
  [[nodiscard]] tl::expected<ClientActions, LossReport> answer(ServerRequestKey key,
                                                               Outcome outcome, Time now);

  /// The server cancels a request of a session.
  [[nodiscard]] ClientActions cancelled(const Id& id);
  /// The call has ended: its input requests need no answer.
  [[nodiscard]] ClientActions withdraw_inputs(CallKey key);
  [[nodiscard]] ClientActions withdraw_all();

  /// The timeouts in force. While a session waits for an answer of the client, idle timeouts pause.
  enum class Timeouts { all, without_idle };
  [[nodiscard]] Timeouts timeouts() const {
    return open_in_session_ > 0 ? Timeouts::without_idle : Timeouts::all;
  }

 private:
  struct OpenRequest {
    ServerRequestKey key;
    std::optional<Id> id;         ///< sessions: the request to answer
    std::optional<CallKey> call;  ///< stateless era: the call to repeat
    std::string input;            ///< key of the input request
  };

  [[nodiscard]] ClientAction add(std::optional<Id> id, std::optional<CallKey> call,
                                 InputRequest request);
  [[nodiscard]] OpenRequest remove(std::vector<OpenRequest>::iterator open);

  const ClientConfig& config_;
  ClientWriter& writer_;
  OpenCalls& calls_;
  std::vector<OpenRequest> open_;
  std::size_t open_in_session_ = 0;  ///< those with an id
  std::uint64_t last_key_ = 0;
};

/// Reports a notification that does not change the peer; nothing if it is malformed.
[[nodiscard]] ClientActions report(Notification notification);

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// What a server asks of its client: in a session as requests of its own, in the stateless era
// inside a result. The application sees one form and gives one answer.
#pragma once

#include "enfold/mcp/peer/client_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enfold::mcp {

class ServerRequests {
 public:
  ServerRequests(const ClientConfig& config, ClientWriter& writer, OpenCalls& calls)
      : config_(config), writer_(writer), calls_(calls) {}

  /// A request in a session. `about`: the call on whose stream it came.
  [[nodiscard]] ClientActions receive(Request request, std::optional<CallKey> about);
  /// A result that requires input. An error ends the call.
  [[nodiscard]] Result<ClientActions> require_input(CallKey key, json::View result, Time now);
  /// `Lost`: the call ends, because its input was refused.
  [[nodiscard]] tl::expected<ClientActions, Lost> answer(ServerRequestKey key, Outcome outcome,
                                                         Time now);

  /// The server takes back a request of a session.
  [[nodiscard]] ClientActions cancelled(const Id& id);
  /// The call has ended: what was asked for it alone needs no answer.
  [[nodiscard]] ClientActions withdraw_inputs(CallKey key);
  [[nodiscard]] ClientActions withdraw_all();

  /// The timeouts that count now: while a session waits for the client, none of its calls is idle.
  [[nodiscard]] OpenCalls::Timeouts timeouts() const {
    return open_in_session_ > 0 ? OpenCalls::Timeouts::without_idle : OpenCalls::Timeouts::all;
  }

 private:
  struct Open {
    ServerRequestKey key;
    std::optional<Id> id;         ///< sessions: the request to answer
    std::optional<CallKey> call;  ///< stateless era: the call to repeat
    std::string input;
  };

  [[nodiscard]] ClientAction add(std::optional<Id> id, std::optional<CallKey> call,
                                 InputRequest request);
  [[nodiscard]] Open remove(std::vector<Open>::iterator open);

  const ClientConfig& config_;
  ClientWriter& writer_;
  OpenCalls& calls_;
  std::vector<Open> open_;
  std::size_t open_in_session_ = 0;
  std::uint64_t last_key_ = 0;
};

}  // namespace enfold::mcp

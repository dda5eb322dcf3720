// SPDX-License-Identifier: Apache-2.0
// The server side of one connection in both eras: takes messages and time, returns actions. Each
// message shows which era it belongs to, so a client may probe with one era and continue in the
// other. Over stdio one peer serves the connection; over HTTP one peer serves a session, and
// each POST of the stateless era has its own peer.
#pragma once

#include "enfold/mcp/era_2025/server.h"
#include "enfold/mcp/era_2026/server.h"
#include "enfold/mcp/peer/server_action.h"

#include <memory>
#include <optional>
#include <string_view>

namespace enfold::mcp {

class ServerPeer {
 public:
  explicit ServerPeer(std::shared_ptr<const ServerConfig> config);

  /// `fields`: over HTTP the headers of the request that carried the message; nullopt over stdio.
  [[nodiscard]] ServerActions receive(Message message,
                                      const std::optional<HeaderFields>& fields = std::nullopt);
  /// Bytes of one line or one body. Invalid messages are refused with a JSON-RPC error.
  [[nodiscard]] ServerActions receive_bytes(json::Buffer bytes, const Limits& limits = {});

  // Called by the application. They do nothing for a call that is not open any more.
  [[nodiscard]] ServerActions reply(CallKey call, Reply reply, Time now);
  [[nodiscard]] ServerActions progress(CallKey call, const Progress& progress);
  /// Without a call the message is sent to a session only.
  [[nodiscard]] ServerActions log(std::optional<CallKey> call, const LogMessage& message) const;
  [[nodiscard]] ServerActions notify(std::optional<CallKey> call, std::string_view method,
                                     json::View params) const;
  [[nodiscard]] ServerActions list_changed(ListKind kind) const;
  [[nodiscard]] ServerActions resource_updated(std::string_view uri) const;

  struct AskResult {
    ServerRequestKey key;
    ServerActions actions;
  };
  /// Sends a request of any method to the client; errors as of era_2025::Server::ask. `unsupported`
  /// in the stateless era: reply with `InputRequired`, which works in both eras.
  [[nodiscard]] Result<AskResult> ask(std::optional<CallKey> about, const InputRequest& request,
                                      Time now);
  /// Tells the client that it need not answer the request any more.
  [[nodiscard]] ServerActions withdraw(ServerRequestKey request, std::string_view reason) {
    return session_.withdraw(request, reason);
  }

  /// HTTP: the client closed the stream of a call. Cancels the call in the stateless era only.
  [[nodiscard]] ServerActions stream_closed(CallKey call) { return stateless_.stream_closed(call); }
  /// Handles timeouts. The owner calls it when `next_deadline` has passed.
  [[nodiscard]] ServerActions tick(Time now) { return session_.tick(now); }
  [[nodiscard]] std::optional<Time> next_deadline() const {
    return session_.requests().next_deadline();
  }
  /// The server shuts down: ends subscriptions; calls may still be answered.
  [[nodiscard]] ServerActions end_subscriptions() { return stateless_.end_subscriptions(); }
  /// The connection or the session has ended: open calls are cancelled, nothing is sent.
  [[nodiscard]] ServerActions closed(std::string_view reason);

  [[nodiscard]] bool has_session() const { return session_.is_initialized(); }
  [[nodiscard]] const std::string& session_version() const { return session_.version(); }
  [[nodiscard]] std::size_t open_calls() const {
    return session_.calls().size() + stateless_.open_calls();
  }
  /// Whether a call is open that does not wait for the client to answer a request.
  [[nodiscard]] bool has_running_call() const;

 private:
  [[nodiscard]] bool is_stateless_request(const Request& request,
                                          const std::optional<HeaderFields>& fields) const;

  std::shared_ptr<const ServerConfig> config_;
  era_2025::Server session_;
  era_2026::Server stateless_;
  std::uint64_t last_key_ = 0;  ///< CallKey or ServerRequestKey that was given last
};

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The server side of one connection in both eras: takes messages and time, returns actions. Each
// message says by itself which era it belongs to, so a client may probe with one and go on with
// the other. Over stdio one peer serves the connection; over HTTP one peer serves a session, and
// each POST of the stateless era has a peer of its own.
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

  /// `fields` over HTTP: headers of the request that brought the message.
  [[nodiscard]] ServerActions receive(Message message,
                                      const std::optional<HeaderFields>& fields = std::nullopt);
  /// Bytes of one line or one body. What is no message is answered as JSON-RPC says.
  [[nodiscard]] ServerActions receive_bytes(json::Buffer bytes, const Limits& limits = {});

  // What the application says. A call that is not open any more makes all of these do nothing.
  [[nodiscard]] ServerActions reply(CallKey call, Reply reply, Time now);
  [[nodiscard]] ServerActions progress(CallKey call, const Progress& progress);
  /// Without a call only sessions can be told.
  [[nodiscard]] ServerActions log(std::optional<CallKey> call, const LogMessage& message) const;
  [[nodiscard]] ServerActions notify(std::optional<CallKey> call, std::string_view method,
                                     json::View params) const;
  [[nodiscard]] ServerActions list_changed(ListKind kind) const;
  [[nodiscard]] ServerActions resource_updated(std::string_view uri) const;

  struct Asked {
    ServerRequestKey key;
    ServerActions actions;
  };
  /// A request to the client, of any method. `unsupported` in the stateless era: reply with
  /// `InputRequired`, which works in both.
  [[nodiscard]] Result<Asked> ask(std::optional<CallKey> about, const InputRequest& request,
                                  Time now);
  [[nodiscard]] ServerActions withdraw(ServerRequestKey ask, std::string_view reason);

  /// HTTP: the stream of a call was closed by the client. Cancels in the stateless era only.
  [[nodiscard]] ServerActions stream_closed(CallKey call);
  [[nodiscard]] ServerActions tick(Time now) { return session_.tick(now); }
  [[nodiscard]] std::optional<Time> next_deadline() const {
    return session_.questions().next_deadline();
  }
  /// Ends subscriptions in order; calls may still be answered.
  [[nodiscard]] ServerActions end() { return stateless_.end(); }
  /// The connection or the session is over: what was open is cancelled, nothing is sent.
  [[nodiscard]] ServerActions closed(std::string_view reason);

  [[nodiscard]] bool has_session() const { return session_.is_open(); }
  [[nodiscard]] const std::string& session_version() const { return session_.version(); }
  [[nodiscard]] std::size_t open_calls() const {
    return session_.calls().size() + stateless_.open_calls();
  }
  /// Questions to the client that it has not answered.
  [[nodiscard]] std::size_t open_questions() const { return session_.questions().size(); }

 private:
  [[nodiscard]] bool is_stateless_request(const Request& request,
                                          const std::optional<HeaderFields>& fields) const;

  std::shared_ptr<const ServerConfig> config_;
  era_2025::Server session_;
  era_2026::Server stateless_;
  std::uint64_t last_key_ = 0;
};

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The actions of the server side of a connection. ServerPeer returns them; the owner of the
// transport performs them in order.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/mcp/types/result.h"
#include "enfold/mcp/wire/headers.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace enfold::mcp {

/// The reading of a monotonic clock: the time since a fixed moment, which the owner may choose.
using Time = std::chrono::milliseconds;

/// Identifies a request of a server to a client, between a peer and its owner.
enum class ServerRequestKey : std::uint64_t {};

struct ServerConfig {
  json::Value info;  ///< Implementation: name, version, title …
  Capabilities capabilities;
  std::string instructions;                            ///< for the model; empty: none
  std::vector<std::string> versions = version_list();  ///< the revisions that the server speaks
  CacheHint cache;                      ///< for results of the application that carry no cache hint
  CacheHint discover_cache;             ///< for the result of server/discover
  bool relay_unknown_requests = false;  ///< report unknown methods as calls; else refuse them
  /// Session era: how long the client may take to answer a request of the server.
  Time ask_timeout = std::chrono::minutes(10);
  std::size_t max_rounds = 16;        ///< session era: how often one call may require input
  std::size_t max_open_calls = 1024;  ///< of one peer; also limits its unanswered requests
  /// Resources to which one session, or one subscriptions/listen, may subscribe.
  std::size_t max_subscribed_resources = 1024;
  /// Called for each tools/call of the stateless era over HTTP: returns the arguments of the tool
  /// that headers repeat; nullptr: none. An empty function: no tool has such arguments.
  std::function<const ParamHeaders*(std::string_view tool)> param_headers;
};

/// Send this message to the client.
struct Send {
  json::Output message;
  /// The call on whose stream the message is sent; nullopt: it is sent on the session's own stream.
  std::optional<CallKey> about;
  bool last = false;  ///< it is the answer: no message follows for this call
  int status = 200;   ///< over HTTP: of the response, if this is the first message for the call
};
/// The client has cancelled a call, or its stream or the connection is closed. No reply is sent.
struct Cancellation {
  CallKey call;
  std::string reason;
};
/// The client has sent `initialize`, and the session exists.
struct SessionStart {
  std::shared_ptr<const Caller> caller;
};
/// A session has finished its handshake.
struct SessionReady {
  std::shared_ptr<const Caller> caller;
};
/// Session era: the client wants log messages from this level on.
struct LogLevelChange {
  LogLevel level;
};
/// Stateless era: the client has sent subscriptions/listen, and the peer has acknowledged it. The
/// subscription lasts until the call is cancelled, or end_subscriptions().
struct SubscriptionOpened {
  CallKey call;
  SubscriptionFilter filter;
};
/// Session era: the client's answer to a request of the application. Its outcome is an error too if
/// no answer came in time, or the connection was closed.
struct ClientResponse {
  ServerRequestKey request;
  ResultOrError outcome;
};
/// A notification of the client that the peer does not handle itself.
struct ClientNotification {
  Notification notification;
};

using ServerAction =
    std::variant<Send, Call, Cancellation, SessionStart, SessionReady, LogLevelChange,
                 SubscriptionOpened, ClientResponse, ClientNotification>;
using ServerActions = std::vector<ServerAction>;

/// These actions as a list.
template <class... Action>
[[nodiscard]] ServerActions actions(Action&&... action) {
  ServerActions out;
  out.reserve(sizeof...(action));
  (out.emplace_back(std::forward<Action>(action)), ...);
  return out;
}

/// Appends `more` to `actions`, which are those of a server or of a client.
template <class Action>
void append(std::vector<Action>& actions, std::vector<Action> more) {
  if (actions.empty()) {
    actions = std::move(more);
    return;
  }
  actions.insert(actions.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

/// Writes the members `capabilities` and `instructions`, which the results of server/discover and
/// initialize both have.
void write_identity(json::Writer& writer, const ServerConfig& config);

/// Whether a client may send this request to a server with this configuration.
[[nodiscard]] inline bool is_offered(Method method, Era era, const ServerConfig& config) {
  if (method == Method::other) return config.relay_unknown_requests;
  const MethodInfo& row = info(method);
  if (row.notification || is_server_request(method) || !exists(method, era)) return false;
  // A gateway forwards the methods of extensions, as those it does not know.
  if (!row.extension.empty() && config.relay_unknown_requests) return true;
  if (!row.extension.empty() && era == Era::stateless) {
    return config.capabilities.has("extensions", row.extension);
  }
  return row.capability.empty() || config.capabilities.has(row.capability);
}

}  // namespace enfold::mcp

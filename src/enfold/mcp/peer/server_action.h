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

/// Since any fixed moment, monotonic.
using Time = std::chrono::milliseconds;

/// Identifies a request to the client (session era).
enum class ServerRequestKey : std::uint64_t {};

struct ServerConfig {
  json::Value info;  ///< Implementation: name, version, title …
  Capabilities capabilities;
  std::string instructions;
  std::vector<std::string> versions = version_list();
  CacheHint cache;           ///< of lists and resources without a cache hint of their own
  CacheHint discover_cache;  ///< of server/discover
  bool relay_unknown_requests = false;  ///< report unknown methods as calls; else refuse them
  /// Session era: how long the client may take to answer a request.
  Time ask_timeout = std::chrono::minutes(10);
  std::size_t max_rounds = 16;  ///< session era: how often one call may require input
  std::size_t max_open_calls = 1024;
  std::size_t max_watched = 1024;  ///< resources of one session or subscription
  /// The arguments of a tool that are repeated in headers; nullptr: none. Used over HTTP only.
  std::function<const ParamHeaders*(std::string_view tool)> param_headers;
};

/// Send this message to the client.
struct Send {
  json::Output message;
  std::optional<CallKey> about;  ///< the call whose stream carries it; nullopt: none (sessions)
  bool last = false;             ///< it is the answer: no message follows for this call
  int status = 200;              ///< over HTTP, if it is the first message for the call
};
/// The client has cancelled a call or closed its stream. Nothing may be sent for it any more.
struct Cancellation {
  CallKey call;
  std::string reason;
};
/// A session has finished its handshake.
struct SessionReady {
  std::shared_ptr<const Caller> caller;
};
/// Session era: the client wants log messages from this level on.
struct LogLevelChange {
  LogLevel level;
};
/// Stateless era: the client subscribes until the call is cancelled. The peer has acknowledged it.
struct Listening {
  CallKey call;
  SubscriptionFilter filter;
};
/// Session era: the client's answer to a request.
struct ClientResponse {
  ServerRequestKey request;
  Outcome outcome;
};
/// A notification of the client that the peer does not handle itself.
struct ClientNotification {
  Notification notification;
};

using ServerAction = std::variant<Send, Call, Cancellation, SessionReady, LogLevelChange, Listening,
                                  ClientResponse, ClientNotification>;
using ServerActions = std::vector<ServerAction>;

template <class... Action>
[[nodiscard]] ServerActions actions(Action&&... action) {
  ServerActions out;
  out.reserve(sizeof...(action));
  (out.emplace_back(std::forward<Action>(action)), ...);
  return out;
}

/// Both lists, in this order. For the actions of servers and of clients.
template <class Action>
void append(std::vector<Action>& actions, std::vector<Action> more) {
  if (actions.empty()) {
    actions = std::move(more);
    return;
  }
  actions.insert(actions.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

/// Writes capabilities and instructions, which server/discover and initialize both report.
void write_identity(json::Writer& writer, const ServerConfig& config);

/// Whether a client may send this request to a server with this configuration.
[[nodiscard]] inline bool is_offered(Method method, Era era, const ServerConfig& config) {
  if (method == Method::other) return config.relay_unknown_requests;
  const MethodInfo& row = info(method);
  if (row.notification || is_server_request(method) || !exists(method, era)) return false;
  return row.capability.empty() || config.capabilities.has(row.capability);
}

}  // namespace enfold::mcp

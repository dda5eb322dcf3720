// SPDX-License-Identifier: Apache-2.0
// What the server side of a connection wants done. ServerPeer returns these; the owner of the
// transport carries them out in order.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/mcp/types/result.h"
#include "enfold/mcp/wire/headers.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace enfold::mcp {

/// Since any fixed moment, never going back.
using Time = std::chrono::milliseconds;

/// Names a question of ours to the client (session era).
enum class ServerRequestKey : std::uint64_t {};

struct ServerConfig {
  json::Value info;  ///< Implementation: name, version, title …
  Capabilities capabilities;
  std::string instructions;
  std::vector<std::string> versions = version_list();
  CacheHint cache;                      ///< of lists and resources that bring no hint of their own
  CacheHint discover_cache;             ///< of server/discover
  bool relay_unknown_requests = false;  ///< unknown methods are calls, not errors
  /// Session era: how long the client may take for a question, and how often one call may ask.
  Time ask_timeout = std::chrono::minutes(10);
  std::size_t max_rounds = 16;
  std::size_t max_open_calls = 1024;
  std::size_t max_watched = 1024;  ///< resources of one session or subscription
  /// Arguments of a tool that are repeated in headers; nullptr: none. Asked over HTTP only.
  std::function<const ParamHeaders*(std::string_view tool)> param_headers;
};

/// Bytes for the client.
struct Send {
  json::Output message;
  std::optional<CallKey> about;  ///< belongs to this call's stream; nullopt: to none (sessions)
  bool last = false;             ///< the answer: nothing follows for this call
  int status = 200;              ///< over HTTP, when nothing was sent for the call before
};
/// The client has withdrawn a call, or its stream is gone. Nothing may be sent for it any more.
struct Cancelled {
  CallKey call;
  std::string reason;
};
/// A session has finished its handshake.
struct SessionOpened {
  std::shared_ptr<const Caller> caller;
};
/// Session era: the client wants log messages from this level on.
struct LogLevelSet {
  LogLevel level;
};
/// Stateless era: the client listens, until the call is cancelled. Already acknowledged.
struct Listening {
  CallKey call;
  SubscriptionFilter filter;
};
/// Session era: the client's answer to `ask`.
struct Answered {
  ServerRequestKey ask;
  Outcome outcome;
};
/// A notification of the client that the peer has no use for itself.
struct ClientNotification {
  Notification notification;
};

using ServerAction = std::variant<Send, Call, Cancelled, SessionOpened, LogLevelSet, Listening,
                                  Answered, ClientNotification>;
using ServerActions = std::vector<ServerAction>;

/// Both lists, in this order.
void append(ServerActions& actions, ServerActions more);

/// server/discover and initialize say the same of a server.
void write_identity(json::Writer& writer,
                    const ServerConfig& config);  ///< capabilities, instructions

/// Whether a client may send this request to such a server.
[[nodiscard]] bool is_offered(Method method, Era era, const ServerConfig& config);

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The actions and reports of the client side of a connection. ClientPeer returns them; the owner of
// the transport performs them in order.
#pragma once

#include "enfold/mcp/peer/server_action.h"
#include "enfold/mcp/types/call.h"
#include "enfold/mcp/types/result.h"
#include "enfold/mcp/wire/headers.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace enfold::mcp {

/// What a server reports about itself in the handshake.
struct ServerIdentity {
  Era era = Era::sessions;
  std::string version;  ///< the protocol revision that was agreed on
  json::Value info;     ///< Implementation: name, version; null: the server gave none
  Capabilities capabilities;
  std::string instructions;  ///< for the model; empty: none
};

/// Send this message to the server. Over HTTP it is one POST.
struct Transmit {
  json::Output message;
  std::optional<CallKey> call;  ///< kHandshakeCall for the handshake; nullopt: expects no answer
  std::vector<Header> headers;  ///< those of the protocol and of CallOptions; empty over stdio
  bool opens_session = false;  ///< notifications/initialized: the server must read it before others
};
/// The handshake is done; calls may be sent.
struct Ready {
  ServerIdentity server;
};
/// The connection cannot be used (no common revision, no answer, session expired) until the owner
/// calls ClientPeer::start() again.
struct Broken {
  Error error;
};
/// The server answered a call.
struct ResultReport {
  CallKey call;
  json::Value result;  ///< unchanged; result_type() tells whether it is complete
};
/// The server answered a call with a JSON-RPC error.
struct ErrorReport {
  CallKey call;
  RpcError error;
};
/// A call ends without a valid answer of the server. The error is timed_out (its hint says which
/// timeout of CallOptions has passed), cancelled, unavailable, unauthorized or protocol_violation.
struct NoAnswerReport {
  CallKey call;
  Error error;
};
struct ProgressReport {
  CallKey call;
  Progress progress;
  json::Value params;  ///< unchanged
};
struct LogReport {
  LogMessage message;
  json::Value params;  ///< unchanged
};
struct ListChanged {
  ListKind kind;
  json::Value params;  ///< unchanged
};
struct ResourceUpdated {
  std::string uri;
  json::Value params;  ///< unchanged
};
/// Stateless era: the notifications that the server agreed to send.
struct SubscriptionAcknowledged {
  CallKey call;
  SubscriptionFilter filter;
};
/// The server requires input. The owner replies with `ClientPeer::answer`.
struct ServerRequest {
  ServerRequestKey key;         ///< identifies the request in `answer`
  std::optional<CallKey> call;  ///< the call that needs the input, if that is known
  InputRequest request;
};
/// The server no longer needs the input.
struct ServerRequestWithdrawn {
  ServerRequestKey key;
};
/// HTTP: close the stream of this call, which cancels it in the stateless era.
struct CloseStream {
  CallKey call;
};
/// HTTP, session era: the stream of a call broke. Send GET with Last-Event-ID at the time `at` to
/// resume it.
struct Resume {
  CallKey call;
  std::string last_event_id;
  Time at;
};

/// `Notification`: one that the peer does not handle itself.
using ClientAction =
    std::variant<Transmit, Ready, Broken, ResultReport, ErrorReport, NoAnswerReport, ProgressReport,
                 LogReport, ListChanged, ResourceUpdated, SubscriptionAcknowledged, ServerRequest,
                 ServerRequestWithdrawn, CloseStream, Resume, Notification>;
using ClientActions = std::vector<ClientAction>;

template <class... Action>
[[nodiscard]] ClientActions client_actions(Action... action) {
  ClientActions out;
  (out.emplace_back(std::move(action)), ...);
  return out;
}

/// What is done with the answer to a cancelled call that arrives all the same: it is ignored, or
/// reported as if the call had not been cancelled.
enum class LateAnswer : std::uint8_t { drop, report };

struct ClientConfig {
  enum class Eras { both, sessions, stateless };

  json::Value info;  ///< Implementation: name, version …
  Capabilities capabilities;
  Eras eras = Eras::both;
  std::vector<std::string> versions = version_list();  ///< the revisions that the client speaks
  bool over_http = false;
  /// Requests of the server with an unknown method are reported as ServerRequest; else they are
  /// refused.
  bool relay_unknown_requests = false;
  Time startup_timeout = std::chrono::seconds(60);  ///< for the handshake
  /// Over stdio: how long to wait for server/discover before `initialize` is sent too.
  Time probe_timeout = std::chrono::seconds(5);
  std::size_t max_rounds = 16;        ///< how often one call may require input
  std::size_t max_open_calls = 4096;  ///< also limits the unanswered requests of the server
};

struct CallOptions {
  std::string method;
  json::Value params;                            ///< an object, or null
  Time idle_timeout = std::chrono::seconds(60);  ///< without progress; 0: no timeout
  Time call_timeout{0};                          ///< even with progress; 0: no timeout
  bool wants_progress = false;
  std::optional<LogLevel> log_level;  ///< stateless era: see Call::log_level
  ParamHeaders param_headers;         ///< over HTTP: arguments that the tool wants in headers
  std::vector<Header> headers;        ///< over HTTP: further headers of the request
  /// Stateless era: the client to name in this request, with its capabilities; null: Enfold.
  std::shared_ptr<const Caller> on_behalf_of;
  /// For a gateway: report `input_required` and results of unknown types unchanged, as results.
  bool relay_input_required = false;
};

}  // namespace enfold::mcp

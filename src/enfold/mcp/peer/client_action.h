// SPDX-License-Identifier: Apache-2.0
// What the client side of a connection wants done, and what it reports. ClientPeer returns these;
// the owner of the transport carries them out in order.
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

/// What is known of a server once it has answered.
struct ServerIdentity {
  Era era = Era::sessions;
  std::string version;
  json::Value info;  ///< null: not said
  Capabilities capabilities;
  std::string instructions;
};

/// Bytes for the server. Over HTTP one POST.
struct Transmit {
  json::Output message;
  std::optional<CallKey> call;  ///< a request: the answer is expected. nullopt: 202 is
  std::vector<Header> headers;  ///< over HTTP
};
/// The server has said who it is; calls may begin.
struct Ready {
  ServerIdentity server;
};
/// The connection cannot be used: no common revision, no answer, session lost.
struct Broken {
  Error error;
};
struct Finished {
  CallKey call;
  json::Value result;  ///< as it came; `result_type` tells what it is
};
/// The server answered with a JSON-RPC error.
struct Refused {
  CallKey call;
  RpcError error;
};
/// No answer will come: timed_out, cancelled, unavailable, protocol_violation.
struct Lost {
  CallKey call;
  Error error;
};
struct ProgressReport {
  CallKey call;
  Progress progress;
  json::Value params;  ///< as they came
};
struct LogReport {
  LogMessage message;
  json::Value params;  ///< as they came
};
struct ListChanged {
  ListKind kind;
  json::Value params;  ///< as they came
};
struct ResourceUpdated {
  std::string uri;
  json::Value params;  ///< as they came
};
/// Stateless era: what the server agreed to tell.
struct SubscriptionAcknowledged {
  CallKey call;
  SubscriptionFilter filter;
};
/// The server needs something; reply with `answer`.
struct ServerRequest {
  ServerRequestKey ask;
  std::optional<CallKey> call;  ///< for which call, when that is known
  InputRequest request;
};
struct ServerRequestWithdrawn {
  ServerRequestKey ask;
};
/// HTTP: close the stream of this call, which cancels it in the stateless era.
struct CloseStream {
  CallKey call;
};
/// HTTP with sessions: the stream broke; GET with Last-Event-ID at this time brings the rest.
struct Resume {
  CallKey call;
  std::string last_event_id;
  Time at;
};

/// `Notification` is one that the peer has no use for itself.
using ClientAction =
    std::variant<Transmit, Ready, Broken, Finished, Refused, Lost, ProgressReport, LogReport,
                 ListChanged, ResourceUpdated, SubscriptionAcknowledged, ServerRequest,
                 ServerRequestWithdrawn, CloseStream, Resume, Notification>;
using ClientActions = std::vector<ClientAction>;

struct ClientConfig {
  enum class Eras { both, sessions, stateless };

  json::Value info;  ///< Implementation: name, version …
  Capabilities capabilities;
  Eras eras = Eras::both;
  std::vector<std::string> versions = version_list();
  bool over_http = false;
  bool relay_unknown_requests = false;  ///< unknown requests of the server are asked, not refused
  Time startup_timeout = std::chrono::seconds(60);  ///< for the handshake
  /// Over stdio: when discovery is not answered in time, the handshake of sessions is tried too.
  Time probe_timeout = std::chrono::seconds(5);
  std::size_t max_rounds = 16;
  std::size_t max_open_calls = 4096;
  std::vector<std::string> result_types;  ///< of extensions in use, such as "task"
};

struct CallOptions {
  std::string method;
  json::Value params;                            ///< an object, or null
  Time idle_timeout = std::chrono::seconds(60);  ///< without any progress; 0: none
  Time call_timeout{0};                          ///< whatever progress is reported; 0: none
  bool wants_progress = false;
  std::optional<LogLevel> log_level;  ///< stateless era
  ParamHeaders param_headers;         ///< of the tool, over HTTP
  std::vector<Header> headers;        ///< further ones, over HTTP
  /// Stateless era: client and capabilities of this request, in place of our own.
  std::shared_ptr<const Caller> on_behalf_of;
  /// For a gateway: `input_required` and results of unknown types are results like any other.
  bool hands_over_input = false;
};

}  // namespace enfold::mcp

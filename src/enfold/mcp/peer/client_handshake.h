// SPDX-License-Identifier: Apache-2.0
// The handshake of a client, which finds out the era of the server. It sends server/discover first,
// once more if the server names another common revision. A result means stateless. If the server
// refuses this client, the handshake ends; after any other answer, or over stdio probe_timeout, it
// sends `initialize`, which opens a session. ClientWriter then writes all messages in this era.
#pragma once

#include "enfold/mcp/peer/client_action.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace enfold::mcp {

struct OpenCall {
  Id id;  ///< a new one for each round of input
  CallOptions options;
  Time started;
  Time last_activity;              ///< when it was last sent, made progress or required input
  InputResponses inputs;           ///< collected for the next round
  std::size_t missing_inputs = 0;  ///< inputs of this round that the application has not given yet
  std::size_t rounds = 0;          ///< how often the server required input
  bool is_cancelled = false;       ///< with LateAnswer::report: it stays open for a late answer
};

/// Writes messages in the era, revision and session of the server; over HTTP with their headers.
class ClientWriter {
 public:
  explicit ClientWriter(bool over_http) : over_http_(over_http) {}

  /// Forgets the server and its session. The ids of requests continue to count up.
  void reset();
  /// `self`: how this client identifies itself in each request of the stateless era.
  void set_server(ServerIdentity server, std::shared_ptr<const Caller> self);
  void set_session(std::string id) { session_ = std::move(id); }
  [[nodiscard]] const ServerIdentity& server() const { return server_; }
  [[nodiscard]] const std::string& session() const { return session_; }

  [[nodiscard]] Id next_id() { return Id(++last_id_); }
  [[nodiscard]] Transmit call(CallKey key, const OpenCall& call) const;
  /// `method` and `params`: those of the message, for its headers.
  [[nodiscard]] Transmit notification(json::Output message, std::string_view method,
                                      json::View params = {}) const;
  [[nodiscard]] Transmit response(json::Output message) const;
  [[nodiscard]] std::vector<Header> session_headers() const;

 private:
  [[nodiscard]] std::shared_ptr<const Caller> caller_for(const CallOptions& options) const;

  bool over_http_;
  ServerIdentity server_;
  std::shared_ptr<const Caller> self_;
  std::string session_;
  std::int64_t last_id_ = 0;
};

/// The key of the requests that the handshake sends. Calls have other keys.
inline constexpr CallKey kHandshakeCall{0};

[[nodiscard]] Error no_answer_in_time();

class ClientHandshake {
 public:
  /// What the peer has to do next: nothing, send a request, use the server (the handshake has
  /// succeeded), or report an error (it has failed).
  using Step = std::variant<std::monostate, Transmit, ServerIdentity, Error>;

  ClientHandshake(const ClientConfig& config, ClientWriter& writer)
      : config_(config), writer_(writer) {}

  [[nodiscard]] Step start(Time now);
  /// The connection has ended: no response is awaited any more.
  void stop() { id_.reset(); }

  [[nodiscard]] bool is_open() const { return id_.has_value(); }
  /// Whether a response with this id answers the open request of the handshake.
  [[nodiscard]] bool awaits(const Id& id) const { return id_ == id; }
  /// When the peer has to call `tick`; nullopt: the handshake is not open.
  [[nodiscard]] std::optional<Time> deadline() const {
    return is_open() ? std::optional(deadline_) : std::nullopt;
  }
  /// How this client identifies itself in the stateless era; null: server/discover was never sent.
  [[nodiscard]] const std::shared_ptr<const Caller>& self() const { return self_; }

  /// Handles a response of the server; ignores responses to other requests.
  [[nodiscard]] Step receive(const Id& id, ResultOrError outcome, Time now);
  /// Handles an HTTP response whose status is not a success.
  [[nodiscard]] Step receive_refusal(int status, Error error, Time now);
  /// Handles a timeout, if the deadline has passed.
  [[nodiscard]] Step tick(Time now);

 private:
  /// Sends server/discover for this revision of the protocol.
  [[nodiscard]] Step discover(const std::string& version, Time now);
  [[nodiscard]] Step initialize(Time now);
  [[nodiscard]] Step on_discover_response(ResultOrError outcome, Time now);
  [[nodiscard]] Step on_initialize_response(const ResultOrError& outcome);
  /// Tries the session era, if it is allowed; else gives up.
  [[nodiscard]] Step fall_back_to_session(Error why, Time now);
  /// `initialize` failed: uses the late answer to server/discover, if there is one; else gives up.
  [[nodiscard]] Step on_initialize_failure(Error why);
  /// The handshake has succeeded.
  [[nodiscard]] Step finish(ServerIdentity server);
  /// Whether the configuration allows to try the session era after the stateless one.
  [[nodiscard]] bool may_fall_back() const;

  const ClientConfig& config_;
  ClientWriter& writer_;
  std::shared_ptr<const Caller> self_;
  std::optional<Id> id_;                 ///< of the open request, server/discover or initialize
  bool is_discovering_ = false;          ///< the open request is server/discover
  bool has_repeated_discovery_ = false;  ///< with a revision that the server named
  Time started_at_{0};                   ///< when start() was called
  Time deadline_{0};
  std::optional<Id> late_discovery_;          ///< id of a server/discover not answered in time
  std::optional<ServerIdentity> discovered_;  ///< from the late answer to it
};

}  // namespace enfold::mcp

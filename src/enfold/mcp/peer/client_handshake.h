// SPDX-License-Identifier: Apache-2.0
// The handshake of a client, which finds out the era of the server. It sends server/discover first.
// A result, or an error that only the stateless era has, means stateless; after any other answer it
// sends `initialize`, which opens a session. The writer then writes every message as this server
// reads it.
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
  Time last_activity;     ///< when the server last reported progress or required input
  InputResponses inputs;  ///< collected for the next round
  std::size_t missing_inputs = 0;
  std::size_t rounds = 0;  ///< how often the server required input
};

/// Writes messages in the era, revision and session of the server; over HTTP with their headers.
class ClientWriter {
 public:
  explicit ClientWriter(bool over_http) : over_http_(over_http) {}

  /// Forgets the server and its session. Ids continue.
  void reset();
  /// `self`: how this client identifies itself in each request of the stateless era.
  void set_server(ServerIdentity server, std::shared_ptr<const Caller> self);
  void set_session(std::string id) { session_ = std::move(id); }
  [[nodiscard]] const ServerIdentity& server() const { return server_; }
  [[nodiscard]] const std::string& session() const { return session_; }

  [[nodiscard]] Id next_id() { return Id(++last_id_); }
  [[nodiscard]] Transmit call(CallKey key, const OpenCall& call) const;
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

/// The key of the handshake's requests. Calls have other keys.
inline constexpr CallKey kHandshakeCall{0};

[[nodiscard]] Error no_answer_in_time();

class ClientHandshake {
 public:
  /// What to do next: nothing yet, send a request, use the server, or give up with an error.
  using Step = std::variant<std::monostate, Transmit, ServerIdentity, Error>;

  ClientHandshake(const ClientConfig& config, ClientWriter& writer)
      : config_(config), writer_(writer) {}

  [[nodiscard]] Step start(Time now);
  void stop() { id_.reset(); }

  [[nodiscard]] bool is_open() const { return id_.has_value(); }
  /// Whether a response with this id is for the open request.
  [[nodiscard]] bool awaits(const Id& id) const { return id_ == id; }
  [[nodiscard]] std::optional<Time> deadline() const {
    return is_open() ? std::optional(deadline_) : std::nullopt;
  }
  /// How this client identifies itself in the stateless era; null in sessions.
  [[nodiscard]] const std::shared_ptr<const Caller>& self() const { return self_; }

  /// Any response of the server; those to other requests are ignored.
  [[nodiscard]] Step receive(const Id& id, Outcome outcome, Time now);
  /// Over HTTP: the status of the response is not a success.
  [[nodiscard]] Step refused(int status, Error error, Time now);
  [[nodiscard]] Step tick(Time now);

 private:
  [[nodiscard]] Step discover(const std::string& version, Time now);
  [[nodiscard]] Step initialize(Time now);
  [[nodiscard]] Step on_discover_response(Outcome outcome, Time now);
  [[nodiscard]] Step on_initialize_response(const Outcome& outcome);
  [[nodiscard]] Step fall_back(Error why, Time now);
  [[nodiscard]] Step no_session(Error why);
  [[nodiscard]] Step finish(ServerIdentity server);
  [[nodiscard]] bool may_fall_back() const;

  const ClientConfig& config_;
  ClientWriter& writer_;
  std::shared_ptr<const Caller> self_;
  std::optional<Id> id_;  ///< of server/discover or initialize
  bool is_discovering_ = false;
  bool has_second_version_ =
      false;  ///< discovery was repeated with a revision that the server named
  Time started_at_{0};
  Time deadline_{0};
  std::optional<Id> probe_;                   ///< server/discover, if it was not answered in time
  std::optional<ServerIdentity> discovered_;  ///< its late answer
};

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// How a client finds out what a server speaks: server/discover first. A result, or an error that
// only the stateless era has, means stateless; anything else means sessions, and `initialize`
// follows.
#pragma once

#include "enfold/mcp/peer/client_writer.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace enfold::mcp {

/// Names the first request of a connection, which is the peer's own.
inline constexpr CallKey kHandshakeCall{0};

[[nodiscard]] Error no_answer_in_time();

class ClientHandshake {
 public:
  /// What follows: nothing yet, a request, the server's identity, or why the handshake failed.
  using Step = std::variant<std::monostate, Transmit, ServerIdentity, Error>;

  ClientHandshake(const ClientConfig& config, ClientWriter& writer)
      : config_(config), writer_(writer) {}

  [[nodiscard]] Step start(Time now);
  void stop() { id_.reset(); }

  [[nodiscard]] bool is_open() const { return id_.has_value(); }
  /// Whether a response with this id is for the open request.
  [[nodiscard]] bool awaits(const Id& id) const { return id_ == id; }
  [[nodiscard]] std::optional<Time> deadline() const;
  /// This client in the stateless era; null in sessions.
  [[nodiscard]] const std::shared_ptr<const Caller>& self() const { return self_; }

  /// A response of the server, to whatever request.
  [[nodiscard]] Step receive(const Id& id, Outcome outcome, Time now);
  /// Over HTTP: the request got a status that is no success.
  [[nodiscard]] Step refused(int status, Error error, Time now);
  [[nodiscard]] Step tick(Time now);

 private:
  [[nodiscard]] Step discover(const std::string& version, Time now);
  [[nodiscard]] Step initialize(Time now);
  [[nodiscard]] Step discovered(Outcome outcome, Time now);
  [[nodiscard]] Step initialized(const Outcome& outcome);
  [[nodiscard]] Step fall_back(Error why, Time now);
  [[nodiscard]] Step no_session(Error why);
  [[nodiscard]] Step finish(ServerIdentity server);
  [[nodiscard]] bool may_fall_back() const;

  const ClientConfig& config_;
  ClientWriter& writer_;
  std::shared_ptr<const Caller> self_;
  std::optional<Id> id_;  ///< of server/discover or initialize
  bool is_discovering_ = false;
  bool has_second_version_ = false;  ///< the server named another revision, which is tried
  Time started_at_{0};
  Time deadline_{0};
  std::optional<Id> probe_;                   ///< a discovery that was not answered in time
  std::optional<ServerIdentity> discovered_;  ///< its late answer
};

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The handshake of a client, which finds out the era of the server. It sends server/discover first.
// A result, or an error that only the stateless era has, means stateless; after any other answer it
// sends `initialize`, which opens a session.
#pragma once

#include "enfold/mcp/peer/client_calls.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace enfold::mcp {

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
  [[nodiscard]] std::optional<Time> deadline() const;
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

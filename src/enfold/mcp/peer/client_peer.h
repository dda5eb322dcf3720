// SPDX-License-Identifier: Apache-2.0
// The client side of the protocol on one connection, in both eras: the handshake, the open calls
// and the requests of the server. A state machine: it takes messages and time and returns actions,
// which are the same whatever the era.
#pragma once

#include "enfold/mcp/peer/client_action.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

/// Names the first request of a connection, which is the peer's own.
inline constexpr CallKey kHandshakeCall{0};

class ClientPeer {
 public:
  explicit ClientPeer(ClientConfig config);

  /// Begins the handshake; `Ready` or `Broken` follows. Also after `Broken`, to start again.
  [[nodiscard]] ClientActions start(Time now);

  /// `key` is the caller's choice: not 0, and no open call has it. `unavailable` before Ready,
  /// `limit_exceeded` with too many open calls.
  [[nodiscard]] Result<ClientActions> call(CallKey key, CallOptions options, Time now);
  /// No report will follow for the call.
  [[nodiscard]] ClientActions cancel(CallKey call, std::string_view reason);
  [[nodiscard]] ClientActions notify(std::string_view method, json::View params) const;
  /// Replies to a request of the server. An error ends the call that it belongs to.
  [[nodiscard]] ClientActions answer(ServerRequestKey ask, Outcome outcome, Time now);

  /// `about`: the call on whose stream the message came, where there are streams.
  [[nodiscard]] ClientActions receive(Message message, Time now,
                                      std::optional<CallKey> about = std::nullopt);
  [[nodiscard]] ClientActions receive_bytes(json::Buffer bytes, Time now,
                                            std::optional<CallKey> about = std::nullopt,
                                            const Limits& limits = {});
  [[nodiscard]] ClientActions broken(const BadMessage& problem, std::optional<CallKey> about);

  // HTTP only
  /// From the response to `initialize`, before its message.
  void session_opened(std::string id) { session_ = std::move(id); }
  [[nodiscard]] const std::string& session() const { return session_; }
  /// An answer whose status is no success, with its body. 404 in a session means that it is over:
  /// `Broken` follows when the other calls in it have ended, or did not soon.
  [[nodiscard]] ClientActions refused(std::optional<CallKey> call, int status,
                                      std::string_view body, Time now);
  /// A stream ended before its answer.
  [[nodiscard]] ClientActions stream_ended(CallKey call, std::string_view last_event_id,
                                           std::optional<std::chrono::milliseconds> retry,
                                           Time now);
  /// Headers for GET and DELETE in a session.
  [[nodiscard]] std::vector<Header> session_headers() const;

  [[nodiscard]] ClientActions closed(std::string_view why);  ///< the connection is gone
  [[nodiscard]] ClientActions tick(Time now);
  [[nodiscard]] std::optional<Time> next_deadline() const;

  /// `Broken` follows; a call that starts now would be lost.
  [[nodiscard]] bool is_session_over() const { return over_.has_value(); }
  [[nodiscard]] bool is_ready() const { return phase_ == Phase::ready; }
  [[nodiscard]] const ServerIdentity& server() const { return server_; }
  [[nodiscard]] std::size_t open_calls() const { return pending_.size(); }
  [[nodiscard]] std::vector<CallKey> calls() const;  ///< that are open
  [[nodiscard]] bool is_open(CallKey call) const { return pending_.contains(call); }
  /// The open call that an answer with this id would end.
  [[nodiscard]] std::optional<CallKey> call_of(const Id& id) const;

 private:
  enum class Phase { idle, discovering, initializing, ready, broken };
  struct Pending {
    Id id;  ///< a new one for each round
    CallOptions options;
    Time silent_since;
    Time begun;
    InputResponses inputs;  ///< collected for the next round
    std::size_t waiting = 0;
    std::size_t rounds = 0;
  };
  struct Ask {
    ServerRequestKey key;
    std::optional<Id> id;         ///< sessions: the request to answer
    std::optional<CallKey> call;  ///< stateless era: the call to repeat
    std::string input;
  };

  // client_start.cc
  [[nodiscard]] ClientActions discover(Time now, const std::string& version);
  [[nodiscard]] ClientActions initialize(Time now);
  [[nodiscard]] ClientActions handshake_answered(Outcome outcome, Time now);
  [[nodiscard]] ClientActions discovered(Outcome outcome, Time now);
  [[nodiscard]] ClientActions fall_back(const Error& why, Time now);
  [[nodiscard]] bool may_fall_back() const;
  [[nodiscard]] ClientActions refused_session(Error why);
  [[nodiscard]] ClientActions become_ready(ServerIdentity server);
  [[nodiscard]] ClientActions break_off(Error error);
  [[nodiscard]] ClientActions handshake_timed_out(Time now);
  [[nodiscard]] ClientActions session_ended(std::optional<CallKey> call, Error error, Time now);

  // client_input.cc
  [[nodiscard]] ClientActions asked(Request request, std::optional<CallKey> about);
  [[nodiscard]] ClientActions input_required(CallKey call, Pending& pending, json::View result,
                                             Time now);
  [[nodiscard]] ClientActions answered_for_call(const Ask& ask, Outcome outcome, Time now);

  [[nodiscard]] ClientActions received(Notification notification, Time now);
  [[nodiscard]] ClientActions received(Response response, Time now);
  [[nodiscard]] ClientActions cancelled(const Notification& notification);
  [[nodiscard]] ClientActions finished(CallKey call, Pending& pending, json::Value result,
                                       Time now);
  [[nodiscard]] ClientActions lose(CallKey call, Error error);
  [[nodiscard]] ClientActions end_questions(CallKey call);
  [[nodiscard]] Transmit transmit(CallKey call, const Pending& pending) const;
  [[nodiscard]] std::shared_ptr<const Caller> caller_for(const CallOptions& options) const;
  [[nodiscard]] Transmit plain(json::Output message, std::string_view method,
                               json::View params) const;
  [[nodiscard]] Pending* find(CallKey call);
  [[nodiscard]] std::optional<Time> deadline_of(const Pending& pending) const;

  ClientConfig config_;
  std::shared_ptr<const Caller> self_;  ///< our own client info, stateless era
  Phase phase_ = Phase::idle;
  ServerIdentity server_;
  std::string session_;
  struct Over {
    Error why;
    Time last_answers;  ///< until then the calls that are open may still get theirs
  };
  std::optional<Over> over_;
  std::optional<Id> handshake_id_;  ///< id of server/discover or initialize
  Time handshake_deadline_{0};
  Time started_at_{0};
  std::optional<Id> probe_;                   ///< a discovery that was not answered in time
  std::optional<ServerIdentity> discovered_;  ///< its late answer
  bool discovered_twice_ = false;  ///< the server named another revision, and was asked with it
  std::map<CallKey, Pending> pending_;
  std::vector<Ask> asks_;
  std::int64_t last_id_ = 0;
  std::uint64_t last_ask_ = 0;
};

void append(ClientActions& actions, ClientActions more);

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The client side of the protocol on one connection, in both eras: the handshake, the open calls
// and the requests of the server. A state machine: it takes messages and time and returns actions,
// which are the same in both eras.
#pragma once

#include "enfold/mcp/peer/client_handshake.h"
#include "enfold/mcp/peer/server_requests.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace enfold::mcp {

/// The calls that have no answer yet. Finding the call of an id, and the next deadline, takes
/// constant or logarithmic time.
class OpenCalls {
 public:
  const OpenCall& add(CallKey key, Id id, CallOptions options, Time now);
  void remove(CallKey key);
  void clear();

  [[nodiscard]] const OpenCall* find(CallKey key) const {
    const auto found = calls_.find(key);
    return found == calls_.end() ? nullptr : &found->second;
  }
  /// The open call whose request has this id.
  [[nodiscard]] std::optional<CallKey> with_id(const Id& id) const {
    const auto found = ids_.find(id);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The call that a response with this id would end; nullopt also while inputs are missing.
  [[nodiscard]] std::optional<CallKey> awaiting(const Id& id) const {
    const std::optional<CallKey> key = with_id(id);
    return key && calls_.at(*key).missing_inputs == 0 ? key : std::nullopt;
  }
  [[nodiscard]] bool contains(CallKey key) const { return calls_.contains(key); }
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  [[nodiscard]] std::vector<CallKey> keys() const;

  /// Restarts the idle timeout, because the server is working. The call must be open, also for the
  /// functions below that take a key.
  void touch(CallKey key, Time now);
  void touch_all(Time now) {
    for (const auto& [key, call] : calls_) touch(key, now);
  }

  /// The call is cancelled, but stays open for a late answer: from now on for one more idle
  /// timeout, which nothing restarts, and not beyond the call timeout.
  void cancel(CallKey key, Time now);

  /// The server requires this number of inputs; `state` is sent back with them. There is no idle
  /// timeout while inputs are missing.
  void require_inputs(CallKey key, std::size_t number, std::optional<std::string> state, Time now);
  /// `input`: the key of the input request that `response` answers.
  void add_input(CallKey key, std::string input, json::Value response);
  /// The peer sends the call again with the collected inputs, as a request with the new id `id`.
  const OpenCall& start_round(CallKey key, Id id, Time now);

  using Timeouts = ServerRequests::Timeouts;
  /// When the next of these timeouts passes; nullopt: none is set.
  [[nodiscard]] std::optional<Time> next_deadline(Timeouts which) const;
  /// Calls whose deadline has passed, ordered by key.
  [[nodiscard]] std::vector<CallKey> late(Time now, Timeouts which) const;

 private:
  using Deadlines = std::set<std::pair<Time, CallKey>>;

  // Call unschedule_idle before any value changes from which the idle deadline is computed.
  void schedule_idle(CallKey key, const OpenCall& call);
  void unschedule_idle(CallKey key, const OpenCall& call);

  std::map<CallKey, OpenCall> calls_;
  std::unordered_map<Id, CallKey> ids_;
  Deadlines idle_deadlines_;
  Deadlines call_deadlines_;
};

class ClientPeer {
 public:
  explicit ClientPeer(ClientConfig config);
  ClientPeer(const ClientPeer&) = delete;
  ClientPeer& operator=(const ClientPeer&) = delete;

  /// Begins the handshake; `Ready` or `Broken` follows. May be called again after `Broken`.
  [[nodiscard]] ClientActions start(Time now);

  /// Sends a request. The owner chooses `key`: not 0, and not that of an open call. `unavailable`
  /// before `Ready`, `limit_exceeded` with too many open calls.
  [[nodiscard]] Result<ClientActions> call(CallKey key, CallOptions options, Time now);
  /// Cancels a call and tells the server `reason`; nullopt: the server is not told, because the
  /// request was not sent. With `LateAnswer::drop` no report follows for the call. With
  /// `LateAnswer::report` the call stays open for one more idle timeout: an answer that comes in
  /// that time is reported, otherwise the call ends with the code `cancelled`. If it cannot stay
  /// open, because the call ends with its stream or waits for input, nothing is done and the result
  /// is empty.
  [[nodiscard]] ClientActions cancel(CallKey call, std::optional<std::string_view> reason,
                                     LateAnswer late, Time now);
  /// Sends nothing before `Ready`, or if the era of the server does not have this notification.
  [[nodiscard]] ClientActions notify(std::string_view method, json::View params) const;
  /// Replies to a request of the server. An error is sent to the server in the session era; in the
  /// stateless era it ends the call that requires the input.
  [[nodiscard]] ClientActions answer(ServerRequestKey key, ResultOrError outcome, Time now);

  /// `about`: over HTTP the call on whose stream the message came; nullopt: on the standalone
  /// stream, or from a child.
  [[nodiscard]] ClientActions receive(Message message, Time now,
                                      std::optional<CallKey> about = std::nullopt);
  /// Receives the messages in `bytes`, valid and invalid ones.
  [[nodiscard]] ClientActions receive_bytes(json::Buffer bytes, Time now,
                                            std::optional<CallKey> about = std::nullopt,
                                            const Limits& limits = {});
  /// Handles an invalid message: it ends its call, or is ignored.
  [[nodiscard]] ClientActions receive_bad(const BadMessage& problem, std::optional<CallKey> about);

  // Called by the HTTP transport only.
  /// The response to `initialize` named this session. Called before its message is received.
  void session_opened(std::string id) { writer_.set_session(std::move(id)); }
  [[nodiscard]] const std::string& session() const { return writer_.session(); }
  /// Handles a response whose status is not a success. 404 in a session means that the session has
  /// expired: `Broken` follows when the other calls have ended, after two seconds at the latest.
  [[nodiscard]] ClientActions refused(std::optional<CallKey> call, int status,
                                      std::string_view body, Time now);
  /// The stream of a call ended before the answer came. In a session with a `last_event_id`:
  /// Resume, after `retry` or one second. Otherwise the call ends as unavailable.
  [[nodiscard]] ClientActions stream_ended(CallKey call, std::string_view last_event_id,
                                           std::optional<std::chrono::milliseconds> retry,
                                           Time now);
  /// Headers for GET and DELETE in a session.
  [[nodiscard]] std::vector<Header> session_headers() const { return writer_.session_headers(); }

  /// The connection has closed: ends the open calls, without reporting `Broken`.
  [[nodiscard]] ClientActions closed(std::string_view why);
  /// Handles timeouts. The owner calls it when `next_deadline` has passed.
  [[nodiscard]] ClientActions tick(Time now);
  /// When `tick` must be called next; nullopt: nothing is awaited.
  [[nodiscard]] std::optional<Time> next_deadline() const;

  /// Whether the server has expired the session: `Broken` will follow, and a call that is sent now
  /// would get no answer.
  [[nodiscard]] bool is_session_over() const { return expiry_.has_value(); }
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  [[nodiscard]] const OpenCalls& calls() const { return calls_; }

 private:
  struct SessionExpiry {
    Error why;
    Time deadline;  ///< until then the open calls may still be answered
  };

  /// Does what the handshake has decided.
  [[nodiscard]] ClientActions perform(ClientHandshake::Step step);
  [[nodiscard]] ClientActions on_notification(Notification notification, Time now);
  [[nodiscard]] ClientActions on_response(Response response, Time now);
  /// Reports that the call gets no answer, and removes it.
  [[nodiscard]] ClientActions end_without_answer(CallKey call, Error error);
  [[nodiscard]] ClientActions on_session_expired(std::optional<CallKey> call, Error error,
                                                 Time now);
  /// As closed(), and reports `Broken`.
  [[nodiscard]] ClientActions break_connection(Error error);

  const ClientConfig config_;
  ClientWriter writer_;
  OpenCalls calls_;
  ClientHandshake handshake_;
  ServerRequests requests_;
  bool is_ready_ = false;
  std::optional<SessionExpiry> expiry_;  ///< nullopt: the session has not expired
};

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The server side of one session (2025-11-25 and before): handshake, calls, log level, subscribed
// resources, and requests to the client. An application answers a call with `InputRequired` as in
// the stateless era; the session then sends the requests to the client, and when all are answered
// it reports the same call again with the answers.
#pragma once

#include "enfold/mcp/peer/server_action.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace enfold::mcp::era_2025 {

/// A request that the client has not answered. Either the application sent it (`key`), or the
/// session did because a call requires input (`input`).
struct SentRequest {
  Id id;                                ///< of the JSON-RPC request
  std::optional<ServerRequestKey> key;  ///< nullopt: the session sent it
  std::optional<CallKey> about;         ///< the call that it belongs to; nullopt: none
  std::string input;                    ///< InputRequest::key
  Time deadline;                        ///< for the client's answer
};

/// The requests to the client that have no answer yet.
class SentRequests {
 public:
  /// The parameters as in SentRequest. Returns the message to send.
  [[nodiscard]] Send add(std::optional<ServerRequestKey> key, std::optional<CallKey> about,
                         const InputRequest& request, Time deadline);

  /// Removes and returns the request that a response with this id answers; nullopt: there is none.
  [[nodiscard]] std::optional<SentRequest> take(const Id& id);
  /// Removes and returns one request whose deadline has passed; nullopt: there is none.
  [[nodiscard]] std::optional<SentRequest> take_late(Time now);

  // Remove requests and tell the client that it need not answer them any more: a request of the
  // application, or those that the session sent because this call requires input.
  [[nodiscard]] ServerActions withdraw(ServerRequestKey key, std::string_view reason);
  [[nodiscard]] ServerActions withdraw_inputs(CallKey call, std::string_view reason);
  /// The connection is closed: removes all requests; those of the application fail.
  [[nodiscard]] ServerActions fail_all(std::string_view reason);

  [[nodiscard]] std::size_t size() const { return open_.size(); }
  /// Whether a request that belongs to this call has no answer yet.
  [[nodiscard]] bool any_about(CallKey call) const {
    return std::ranges::find(open_, call, &SentRequest::about) != open_.end();
  }
  /// nullopt: no request is open.
  [[nodiscard]] std::optional<Time> next_deadline() const {
    const auto next = std::ranges::min_element(open_, {}, &SentRequest::deadline);
    return next == open_.end() ? std::nullopt : std::optional(next->deadline);
  }

 private:
  std::vector<SentRequest> open_;
  std::int64_t last_id_ = 0;  ///< the id of the last request that was sent
};

struct SessionCall {
  Call call;                        ///< kept to be reported again with the answers
  std::optional<double> progress;   ///< the last progress that was sent; nullopt: none
  std::size_t rounds = 0;           ///< how often the call required input
  std::size_t missing_answers = 0;  ///< requests of the current round that have no answer yet
};

/// The calls of one session that have no answer yet, found by key and by id.
class SessionCalls {
 public:
  void add(Call call);
  void remove(CallKey key);
  void clear();

  [[nodiscard]] SessionCall* find(CallKey key);  ///< nullptr: the call is not open
  [[nodiscard]] std::optional<CallKey> with_id(const Id& id) const;
  [[nodiscard]] bool contains(CallKey key) const { return calls_.contains(key); }
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  /// In the order in which they were received.
  [[nodiscard]] const std::map<CallKey, SessionCall>& all() const { return calls_; }

 private:
  std::map<CallKey, SessionCall> calls_;
  std::unordered_map<Id, CallKey> ids_;
};

class Server {
 public:
  explicit Server(std::shared_ptr<const ServerConfig> config) : config_(std::move(config)) {}

  [[nodiscard]] ServerActions receive(Request request, CallKey key);
  [[nodiscard]] ServerActions receive(Notification notification);
  [[nodiscard]] ServerActions receive(Response response);

  /// Whether `initialize` was answered.
  [[nodiscard]] bool is_initialized() const { return caller_ != nullptr; }
  /// The negotiated revision; empty before `initialize`.
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const SessionCalls& calls() const { return calls_; }
  [[nodiscard]] const SentRequests& requests() const { return requests_; }

  // Called by the application. They do nothing for a call that is not open any more. log, notify
  // and list_changed send nothing before the client has sent `initialized`.
  [[nodiscard]] ServerActions reply(CallKey call, Reply reply, Time now);
  /// Sends nothing unless the client has given a progress token and the progress has grown.
  [[nodiscard]] ServerActions progress(CallKey call, const Progress& progress);
  /// Sends nothing if the message is less severe than the level that the client has set.
  [[nodiscard]] ServerActions log(std::optional<CallKey> call, const LogMessage& message) const;
  [[nodiscard]] ServerActions notify(std::optional<CallKey> call, std::string_view method,
                                     json::View params) const;
  [[nodiscard]] ServerActions list_changed(ListKind kind) const;
  /// Sends nothing unless the client has subscribed to this resource.
  [[nodiscard]] ServerActions resource_updated(std::string_view uri) const;

  /// Sends a request of any method to the client. `unavailable` before `initialized`, `cancelled`
  /// if the call has ended, `unsupported` if the client did not declare the capability for it,
  /// `limit_exceeded` with max_open_calls unanswered requests.
  [[nodiscard]] Result<ServerActions> ask(ServerRequestKey key, std::optional<CallKey> about,
                                          const InputRequest& request, Time now);
  [[nodiscard]] ServerActions withdraw(ServerRequestKey key, std::string_view reason) {
    return requests_.withdraw(key, reason);
  }
  /// Requests to the client whose deadline has passed fail, and so do the calls that need their
  /// answers.
  [[nodiscard]] ServerActions tick(Time now);
  /// The connection is closed: calls are cancelled, requests of the application fail.
  [[nodiscard]] ServerActions closed(std::string_view reason);

 private:
  [[nodiscard]] ServerActions initialize(const Request& request, CallKey key);
  [[nodiscard]] ServerActions set_level(const Request& request, CallKey key);
  /// Opens the call and passes it to the application.
  [[nodiscard]] ServerActions report_call(Request request, CallKey key);
  /// The client has sent notifications/cancelled.
  [[nodiscard]] ServerActions cancel(const Notification& notification);
  /// Sends the input requests of a call to the client; refuses the call if the client cannot answer
  /// them.
  [[nodiscard]] ServerActions require_input(SessionCall& open, const InputRequired& required,
                                            Time now);
  /// The client has answered the request, or its deadline has passed.
  [[nodiscard]] ServerActions on_answer(const SentRequest& request, ResultOrError outcome);
  /// Ends the call with this message as its answer.
  [[nodiscard]] ServerActions finish(CallKey call, json::Output message);
  void update_subscriptions(const Call& call);

  std::shared_ptr<const ServerConfig> config_;
  std::shared_ptr<const Caller> caller_;  ///< null: not initialized
  std::string version_;
  bool ready_ = false;                 ///< the client has sent `initialized`
  std::optional<LogLevel> log_level_;  ///< least severe message that the client wants; nullopt: all
  std::vector<std::string> subscribed_;  ///< URIs of resources
  SessionCalls calls_;
  SentRequests requests_;
};

}  // namespace enfold::mcp::era_2025

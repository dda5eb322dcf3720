// SPDX-License-Identifier: Apache-2.0
// The open calls of a client: their table, their writer, and the requests of the server that belong
// to them. Finding the call of an id, and the next deadline, takes constant or logarithmic time.
#pragma once

#include "enfold/mcp/peer/client_action.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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

/// The calls that have no answer yet.
class OpenCalls {
 public:
  const OpenCall& add(CallKey key, Id id, CallOptions options, Time now);
  void remove(CallKey key);
  void clear();

  [[nodiscard]] const OpenCall* find(CallKey key) const;
  [[nodiscard]] std::optional<CallKey> with_id(const Id& id) const;
  /// The call that a response with this id would end.
  [[nodiscard]] std::optional<CallKey> awaiting(const Id& id) const;
  [[nodiscard]] bool contains(CallKey key) const { return calls_.contains(key); }
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  [[nodiscard]] std::vector<CallKey> keys() const;

  /// The server is working: the idle timeouts start again.
  void touch(CallKey key, Time now);
  void touch_all(Time now);

  /// The server requires this number of inputs. There is no idle timeout while they are missing.
  void require_inputs(CallKey key, std::size_t number, std::optional<std::string> state, Time now);
  void add_input(CallKey key, std::string input, json::Value response);
  /// The call is sent again, with the inputs collected.
  const OpenCall& start_round(CallKey key, Id id, Time now);

  enum class Timeouts { all, without_idle };
  [[nodiscard]] std::optional<Time> next_deadline(Timeouts which) const;
  /// Calls whose deadline has passed, by key.
  [[nodiscard]] std::vector<CallKey> late(Time now, Timeouts which) const;

 private:
  using Deadlines = std::set<std::pair<Time, CallKey>>;

  // Unschedule before any of the values changes that the idle deadline is computed from.
  void schedule_idle(CallKey key, const OpenCall& call);
  void unschedule_idle(CallKey key, const OpenCall& call);

  std::map<CallKey, OpenCall> calls_;
  std::unordered_map<Id, CallKey> ids_;
  Deadlines idle_deadlines_;
  Deadlines call_deadlines_;
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

/// The requests of a server to the client: sent as requests in a session, inside a result in the
/// stateless era. The application sees one form.
class ServerRequests {
 public:
  ServerRequests(const ClientConfig& config, ClientWriter& writer, OpenCalls& calls)
      : config_(config), writer_(writer), calls_(calls) {}

  /// A request in a session. `about`: the call on whose stream it came.
  [[nodiscard]] ClientActions receive(Request request, std::optional<CallKey> about);
  /// A result that requires input. An error ends the call.
  [[nodiscard]] Result<ClientActions> require_input(CallKey key, json::View result, Time now);
  /// `LossReport`: the call ends, because its input was refused.
  [[nodiscard]] tl::expected<ClientActions, LossReport> answer(ServerRequestKey key,
                                                               Outcome outcome, Time now);

  /// The server cancels a request of a session.
  [[nodiscard]] ClientActions cancelled(const Id& id);
  /// The call has ended: its input requests need no answer.
  [[nodiscard]] ClientActions withdraw_inputs(CallKey key);
  [[nodiscard]] ClientActions withdraw_all();

  /// The timeouts in force. While a session waits for an answer of the client, idle timeouts pause.
  [[nodiscard]] OpenCalls::Timeouts timeouts() const {
    return open_in_session_ > 0 ? OpenCalls::Timeouts::without_idle : OpenCalls::Timeouts::all;
  }

 private:
  struct OpenRequest {
    ServerRequestKey key;
    std::optional<Id> id;         ///< sessions: the request to answer
    std::optional<CallKey> call;  ///< stateless era: the call to repeat
    std::string input;            ///< key of the input request
  };

  [[nodiscard]] ClientAction add(std::optional<Id> id, std::optional<CallKey> call,
                                 InputRequest request);
  [[nodiscard]] OpenRequest remove(std::vector<OpenRequest>::iterator open);

  const ClientConfig& config_;
  ClientWriter& writer_;
  OpenCalls& calls_;
  std::vector<OpenRequest> open_;
  std::size_t open_in_session_ = 0;  ///< those with an id
  std::uint64_t last_key_ = 0;
};

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The calls of a client that have no answer yet. Finding the call of an id, and the next deadline,
// takes the same time however many calls are open.
#pragma once

#include "enfold/mcp/peer/client_action.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace enfold::mcp {

struct OpenCall {
  Id id;  ///< a new one for each round of input
  CallOptions options;
  Time started;
  Time last_activity;     ///< of the server
  InputResponses inputs;  ///< collected for the next round
  std::size_t missing_inputs = 0;
  std::size_t rounds = 0;
};

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

  // An idle deadline must be taken out before what it depends on changes.
  void schedule_idle(CallKey key, const OpenCall& call);
  void unschedule_idle(CallKey key, const OpenCall& call);

  std::map<CallKey, OpenCall> calls_;
  std::unordered_map<Id, CallKey> ids_;
  Deadlines idle_deadlines_;
  Deadlines call_deadlines_;
};

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
// The calls of one session that have no answer yet, found by key and by id.
#pragma once

#include "enfold/mcp/types/call.h"

#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>

namespace enfold::mcp::era_2025 {

struct SessionCall {
  Call call;                       ///< kept, to be handed out again with answers
  std::optional<double> progress;  ///< the last that was sent
  std::size_t rounds = 0;
  std::size_t missing_answers = 0;
};

class SessionCalls {
 public:
  void add(Call call) {
    ids_.emplace(call.id, call.key);
    const CallKey key = call.key;
    calls_[key].call = std::move(call);
  }
  void remove(CallKey key) {
    const auto found = calls_.find(key);
    if (found == calls_.end()) return;
    ids_.erase(found->second.call.id);
    calls_.erase(found);
  }
  void clear() {
    calls_.clear();
    ids_.clear();
  }

  [[nodiscard]] SessionCall* find(CallKey key) {
    const auto found = calls_.find(key);
    return found == calls_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::optional<CallKey> with_id(const Id& id) const {
    const auto found = ids_.find(id);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] bool contains(CallKey key) const { return calls_.contains(key); }
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  /// In the order in which they were received.
  [[nodiscard]] const std::map<CallKey, SessionCall>& all() const { return calls_; }

 private:
  std::map<CallKey, SessionCall> calls_;
  std::unordered_map<Id, CallKey> ids_;
};

}  // namespace enfold::mcp::era_2025

// SPDX-License-Identifier: Apache-2.0
// The circuit breaker of an upstream, with exponential backoff. After one failure the next attempt
// to connect may be made at once; after each further failure in a row it must wait, each time twice
// as long, up to max_backoff. Calls that come during a wait are held until the next attempt; from
// failure_threshold failures in a row on, they fail at once instead. Callers pass the time.
#pragma once

#include "enfold/gateway/config/settings.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>

namespace enfold::gateway {

class Breaker {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Wait = std::chrono::steady_clock::duration;

  explicit Breaker(BreakerPolicy policy = {}) : policy_(policy) {}

  /// The time until the next attempt may be made; zero: now.
  [[nodiscard]] Wait wait(Time now) const {
    return failures_ == 0 ? Wait::zero() : std::max(next_attempt_ - now, Wait::zero());
  }
  /// Whether a call must fail now instead of waiting for the next attempt.
  [[nodiscard]] bool is_open(Time now) const {
    return failures_ >= policy_.failure_threshold && wait(now) > Wait::zero();
  }
  /// The number of failures in a row.
  [[nodiscard]] std::size_t failures() const { return failures_; }

  void record_failure(Time now) {
    constexpr std::size_t kMaxDoublings = 20;
    ++failures_;
    next_attempt_ = now;
    if (failures_ == 1) return;
    const auto backoff = policy_.initial_backoff * (1U << std::min(failures_ - 2, kMaxDoublings));
    next_attempt_ += std::min<std::chrono::milliseconds>(backoff, policy_.max_backoff);
  }
  /// Called when the server has answered a call; a successful start does not count.
  void record_success() { failures_ = 0; }

 private:
  BreakerPolicy policy_;
  std::size_t failures_ = 0;  ///< in a row
  Time next_attempt_{};       ///< the earliest time; unused if `failures_` is 0
};

/// The circuit breakers of an upstream. A connection that breaks while calls are open counts only
/// for the principals of these calls, so that a principal that crashes a server does not stop the
/// other principals. Any other failure, such as a server that does not start, counts for all
/// principals.
class Breakers {
 public:
  explicit Breakers(BreakerPolicy policy = {}) : common_(policy) {}

  /// The breaker for calls of this principal.
  [[nodiscard]] const Breaker& of(const std::string& principal) const {
    const auto found = by_principal_.find(principal);
    return found != by_principal_.end() ? found->second : common_;
  }
  /// The breaker of principals whose calls have not broken a connection.
  [[nodiscard]] const Breaker& common() const { return common_; }
  /// The breaker with the most failures in a row.
  [[nodiscard]] const Breaker& worst() const;

  /// `principals`: those whose calls were open; empty: the failure counts for all principals.
  void record_failure(const std::set<std::string>& principals, Breaker::Time now);
  /// Called when the server has answered a call of this principal.
  void record_success(const std::string& principal) {
    common_.record_success();
    by_principal_.erase(principal);
  }

 private:
  Breaker common_;
  /// Of principals whose calls were open when a connection broke.
  std::map<std::string, Breaker> by_principal_;
};

}  // namespace enfold::gateway

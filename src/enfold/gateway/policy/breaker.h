// SPDX-License-Identifier: Apache-2.0
// A circuit breaker with exponential backoff. After the first failure the next attempt is made at
// once, then after ever longer waits; after several failures in a row calls fail at once. Pure:
// time is passed in.
#pragma once

#include "enfold/gateway/config/settings.h"

namespace enfold::gateway {

class Breaker {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Wait = std::chrono::steady_clock::duration;

  explicit Breaker(BreakerPolicy policy = {}) : policy_(policy) {}

  /// The time until the next attempt may be made; zero: now.
  [[nodiscard]] Wait wait(Time now) const {
    return failures_ == 0 ? Wait::zero() : std::max(earliest_ - now, Wait::zero());
  }
  /// Whether a call should fail now instead of waiting for the next attempt.
  [[nodiscard]] bool is_open(Time now) const {
    return failures_ >= policy_.failure_threshold && wait(now) > Wait::zero();
  }
  [[nodiscard]] std::size_t failures() const { return failures_; }

  void failed(Time now) {
    constexpr std::size_t kMostDoublings = 20;
    ++failures_;
    earliest_ = now;
    if (failures_ == 1) return;
    const auto grown = policy_.initial_backoff * (1U << std::min(failures_ - 2, kMostDoublings));
    earliest_ += std::min<std::chrono::milliseconds>(grown, policy_.max_backoff);
  }
  /// Called when the server has answered a call; a successful start does not count.
  void succeeded() { failures_ = 0; }

 private:
  BreakerPolicy policy_;
  std::size_t failures_ = 0;  ///< in a row
  Time earliest_{};
};

}  // namespace enfold::gateway

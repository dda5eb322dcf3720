// SPDX-License-Identifier: Apache-2.0
// A token bucket stored as one number: the time at which it will be full again. In this form
// ("generic cell rate algorithm") taking a token is one comparison and one addition, exact in
// integers, and a full bucket needs no storage.
#pragma once

#include "enfold/store/counters.h"

#include <algorithm>
#include <cstdint>

namespace enfold::store::detail {

/// Microseconds since the epoch, below 2^53, so that Lua counts with them exactly.
struct Bucket {
  std::int64_t interval = 0;  ///< microseconds for one token, rounded up
  std::int64_t burst = 1;

  explicit Bucket(RateLimit limit) : burst(std::clamp<std::int64_t>(limit.burst, 1, kMostBurst)) {
    const std::int64_t per_minute = std::max<std::int64_t>(limit.per_minute, 1);
    interval = (60'000'000 + per_minute - 1) / per_minute;
  }

  [[nodiscard]] std::int64_t capacity() const { return interval * burst; }

  /// The debt before the call: how far `full_at` lies ahead, never more than an empty bucket.
  [[nodiscard]] std::int64_t debt(std::int64_t full_at, std::int64_t now) const {
    return std::clamp<std::int64_t>(full_at - now, 0, capacity());
  }
  [[nodiscard]] bool allows(std::int64_t debt) const { return debt + interval <= capacity(); }

  /// The decision for a call, from the debt after it.
  [[nodiscard]] RateDecision answer(bool allowed, std::int64_t debt) const {
    const std::int64_t wait = std::max<std::int64_t>(debt + interval - capacity(), 0);
    return {allowed, (capacity() - debt) / interval, std::chrono::microseconds(allowed ? 0 : wait),
            std::chrono::microseconds(debt)};
  }
};

}  // namespace enfold::store::detail

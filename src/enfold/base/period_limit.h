// SPDX-License-Identifier: Apache-2.0
// Limits how often something is done: so many times in each period.
#pragma once

#include <cstddef>
#include <optional>

namespace enfold {

/// `Time`: a time point, or the time since a start. The first use after a period begins the next.
template <class Time>
class PeriodLimit {
 public:
  using Period = decltype(Time() - Time());

  PeriodLimit(std::size_t most, Period period) : most_(most), period_(period) {}

  /// Whether one more is allowed now.
  [[nodiscard]] bool take(Time now) {
    if (!begin_ || now - *begin_ >= period_) {
      begin_ = now;
      count_ = 0;
    }
    return count_++ < most_;
  }

 private:
  std::size_t most_;
  Period period_;
  std::optional<Time> begin_;
  std::size_t count_ = 0;
};

}  // namespace enfold

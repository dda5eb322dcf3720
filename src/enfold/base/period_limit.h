// SPDX-License-Identifier: Apache-2.0
// Limits how often something is done: at most a number of times in each period.
#pragma once

#include <cstddef>
#include <optional>

namespace enfold {

/// `Time`: a time point, or the time since a start. A period begins with the first take() after the
/// period before it has ended.
template <class Time>
class PeriodLimit {
 public:
  using Period = decltype(Time() - Time());

  PeriodLimit(std::size_t most, Period period) : most_(most), period_(period) {}

  /// Counts one use. False: it is not allowed, because the period has had its `most` uses.
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
  std::optional<Time> begin_;  ///< of the current period; nullopt: there was no use yet
  std::size_t count_ = 0;      ///< uses in the current period, allowed or not
};

}  // namespace enfold

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/breaker.h"

#include <algorithm>

namespace enfold::gateway {

Breaker::Wait Breaker::wait(Time now) const {
  return failures_ == 0 ? Wait::zero() : std::max(earliest_ - now, Wait::zero());
}

bool Breaker::is_open(Time now) const {
  return failures_ >= policy_.failure_threshold && wait(now) > Wait::zero();
}

void Breaker::failed(Time now) {
  ++failures_;
  if (failures_ == 1) {
    earliest_ = now;
    return;
  }
  constexpr std::size_t kMostDoublings = 20;
  const auto grown = policy_.initial_backoff * (1U << std::min(failures_ - 2, kMostDoublings));
  earliest_ = now + std::min<std::chrono::milliseconds>(grown, policy_.max_backoff);
}

}  // namespace enfold::gateway

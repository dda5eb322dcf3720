// SPDX-License-Identifier: Apache-2.0
// Tells a running call that its client no longer wants the answer.
#pragma once

#include <atomic>

namespace enfold::serve {

/// Set by the serving thread, read by the handler.
class Cancellation {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_ = false;
};

}  // namespace enfold::serve

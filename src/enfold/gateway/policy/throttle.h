// SPDX-License-Identifier: Apache-2.0
// Runs an action at once when it is first requested, one run at a time, with a pause after each.
// Requests that arrive during a run or a pause cause one more run.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/net/loop.h"

#include <functional>

namespace enfold::gateway {

class Throttle {
 public:
  using Done = std::function<void()>;
  /// `action` calls `done` once, now or later; it may destroy the throttle.
  using Action = std::function<void(const Done& done)>;

  Throttle(net::Loop& loop, net::Duration pause, Action action);
  Throttle(const Throttle&) = delete;
  Throttle& operator=(const Throttle&) = delete;

  void request();

 private:
  void run();

  net::Duration pause_;
  Action action_;
  net::Timer timer_;
  bool is_busy_ = false;  ///< runs or pauses
  bool again_ = false;
  Lifetime alive_;
};

}  // namespace enfold::gateway

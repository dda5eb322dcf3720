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

  Throttle(net::Loop& loop, net::Duration pause, Action action)
      : pause_(pause), action_(std::move(action)), timer_(loop, [this, &loop] {
          // The action may destroy the throttle and with it the timer that calls this function.
          loop.defer(alive_.guarded([this] {
            is_busy_ = false;
            if (again_) run();
          }));
        }) {}
  Throttle(const Throttle&) = delete;
  Throttle& operator=(const Throttle&) = delete;

  void request() {
    again_ = true;
    if (!is_busy_) run();
  }

 private:
  void run() {
    is_busy_ = true;
    again_ = false;
    const Action action = action_;
    action(alive_.guarded([this] { timer_.set_after(pause_); }));
  }

  net::Duration pause_;
  Action action_;
  net::Timer timer_;
  bool is_busy_ = false;  ///< runs or pauses
  bool again_ = false;
  Lifetime alive_;
};

}  // namespace enfold::gateway

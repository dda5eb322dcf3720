// SPDX-License-Identifier: Apache-2.0
// Runs an action when it is requested, one run at a time, with a pause after each run. All requests
// that arrive during a run or the pause after it cause one more run together.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/net/loop.h"

#include <functional>

namespace enfold::gateway {

class Throttle {
 public:
  using Done = std::function<void()>;
  /// Starts a run. It must call `done` once, now or later, when the run is over. It may destroy the
  /// throttle.
  using Action = std::function<void(const Done& done)>;

  Throttle(net::Loop& loop, net::Duration pause, Action action)
      : pause_(pause), action_(std::move(action)), timer_(loop, [this, &loop] {
          // The action may destroy the throttle and with it the timer that calls this function.
          loop.defer(alive_.guarded([this] {
            is_busy_ = false;
            if (is_requested_) run();
          }));
        }) {}
  Throttle(const Throttle&) = delete;
  Throttle& operator=(const Throttle&) = delete;

  /// Runs the action now, or after the current run and its pause.
  void request() {
    is_requested_ = true;
    if (!is_busy_) run();
  }

 private:
  void run() {
    is_busy_ = true;
    is_requested_ = false;
    const Action action = action_;  // a copy, because the action may destroy the throttle
    action(alive_.guarded([this] { timer_.set_after(pause_); }));
  }

  net::Duration pause_;
  Action action_;
  net::Timer timer_;
  bool is_busy_ = false;       ///< during a run and the pause after it
  bool is_requested_ = false;  ///< there was a request since the last run began
  Lifetime alive_;             ///< callbacks do nothing after the throttle is destroyed
};

}  // namespace enfold::gateway

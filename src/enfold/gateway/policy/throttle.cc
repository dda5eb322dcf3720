// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/throttle.h"

namespace enfold::gateway {

Throttle::Throttle(net::Loop& loop, net::Duration pause, Action action)
    : pause_(pause), action_(std::move(action)), timer_(loop, [this, &loop] {
        // The action may destroy the throttle and with it the timer that calls this function.
        loop.defer(alive_.guarded([this] {
          is_busy_ = false;
          if (again_) run();
        }));
      }) {}

void Throttle::request() {
  again_ = true;
  if (!is_busy_) run();
}

void Throttle::run() {
  is_busy_ = true;
  again_ = false;
  const Action action = action_;
  action(alive_.guarded([this] { timer_.set_after(pause_); }));
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/throttle.h"

namespace enfold::gateway {

Pace::Pace(net::Loop& loop, net::Duration rest, Act act)
    : rest_(rest), act_(std::move(act)), timer_(loop, [this, &loop] {
        // Whoever acts may end the pace, and with it the timer that calls this.
        loop.defer([this, alive = alive_] {
          if (!*alive) return;
          is_busy_ = false;
          if (again_) run();
        });
      }) {}

void Pace::want() {
  again_ = true;
  if (!is_busy_) run();
}

void Pace::run() {
  is_busy_ = true;
  again_ = false;
  const Act act = act_;
  act([this, alive = alive_] {
    if (*alive) timer_.set_after(rest_);
  });
}

}  // namespace enfold::gateway

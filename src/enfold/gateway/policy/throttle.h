// SPDX-License-Identifier: Apache-2.0
// A throttle: runs an action at once when it is first requested, one at a time, and with a pause
// after each run. Requests that come meanwhile lead to one more run.
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

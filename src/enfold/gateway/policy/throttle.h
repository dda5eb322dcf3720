// SPDX-License-Identifier: Apache-2.0
// Something that may be wanted often and is done seldom: the first time at once, one at a time, and
// with a rest behind each. However often it is wanted meanwhile, it is done once more.
#pragma once

#include "enfold/net/loop.h"

#include <functional>
#include <memory>

namespace enfold::gateway {

class Pace {
 public:
  using Done = std::function<void()>;
  /// `act` calls `done` once, now or later; it may end the pace.
  using Act = std::function<void(const Done& done)>;

  Pace(net::Loop& loop, net::Duration rest, Act act);
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;
  ~Pace() { *alive_ = false; }

  void want();

 private:
  void run();

  net::Duration rest_;
  Act act_;
  net::Timer timer_;
  bool is_busy_ = false;  ///< acts or rests
  bool again_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace enfold::gateway

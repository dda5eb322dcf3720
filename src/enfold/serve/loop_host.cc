// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/loop_host.h"

#include "enfold/base/random.h"

namespace enfold::serve {
namespace {

class LoopAlarm final : public Alarm {
 public:
  LoopAlarm(net::Loop& loop, std::chrono::milliseconds wait, net::Task task)
      : timer_(loop, std::move(task)) {
    timer_.set_after(wait);
  }

 private:
  net::Timer timer_;
};

}  // namespace

std::unique_ptr<Alarm> LoopHost::after(std::chrono::milliseconds wait, net::Task task) {
  return std::make_unique<LoopAlarm>(loop_, wait, std::move(task));
}

std::chrono::microseconds LoopHost::clock() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

std::chrono::sys_time<std::chrono::microseconds> LoopHost::calendar() const {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

void LoopHost::fill_random(std::span<std::uint8_t> bytes) { enfold::fill_random(bytes); }

}  // namespace enfold::serve

// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/loop_host.h"

#include <random>

namespace enfold::server {
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

// std::random_device reads the system's own source here: no seed, nothing to predict. A word at a
// time, since asking is what costs.
void LoopHost::fill_with_chance(std::span<std::uint8_t> bytes) {
  static thread_local std::random_device source;
  static_assert(std::random_device::max() == 0xFFFF'FFFFU && std::random_device::min() == 0);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word = i % 4 == 0 ? source() : word >> 8U;
    bytes[i] = static_cast<std::uint8_t>(word & 0xFFU);
  }
}

}  // namespace enfold::server

// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/loop_host.h"

#include <array>
#include <cstdlib>
#include <unistd.h>
#include <utility>

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

// The system's own source: no seed, nothing to predict. Asked for much at once, since every call
// needs a little; what was given out is wiped.
void LoopHost::fill_with_chance(std::span<std::uint8_t> bytes) {
  static thread_local std::array<std::uint8_t, 256> store{};
  static thread_local std::size_t used = store.size();
  for (std::uint8_t& place : bytes) {
    if (used == store.size()) {
      // 256 bytes are given whole or not at all; without chance there is nothing to go on with.
      if (::getentropy(store.data(), store.size()) != 0) std::abort();
      used = 0;
    }
    place = std::exchange(store[used++], std::uint8_t{0});
  }
}

}  // namespace enfold::server

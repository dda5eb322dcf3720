// SPDX-License-Identifier: Apache-2.0
// What serving needs of the world: a thread to be on, workers, time and chance. Real servers have
// a loop (loop_host.h); tests have one that they move by hand.
#pragma once

#include "enfold/mcp/peer/server_action.h"
#include "enfold/net/callback.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

namespace enfold::serve {

/// A moment in the future; destroying it calls it off.
class Alarm {
 public:
  virtual ~Alarm() = default;
};

class Host {
 public:
  virtual ~Host() = default;

  /// Runs on a worker. False: too many wait already.
  [[nodiscard]] virtual bool work(net::Task job) = 0;
  /// Onto the serving thread, from any thread.
  virtual void post(net::Task task) = 0;
  [[nodiscard]] virtual std::unique_ptr<Alarm> after(std::chrono::milliseconds wait,
                                                     net::Task task) = 0;

  /// Never goes back; from any thread.
  [[nodiscard]] virtual std::chrono::microseconds clock() const = 0;
  /// Of the calendar, since 1970; from any thread.
  [[nodiscard]] virtual std::chrono::sys_time<std::chrono::microseconds> calendar() const = 0;
  virtual void fill_random(std::span<std::uint8_t> bytes) = 0;

  /// Of the serving thread, for what need not be exact: when it was last woken will do.
  [[nodiscard]] virtual mcp::Time now() const {
    return std::chrono::duration_cast<mcp::Time>(clock());
  }
};

}  // namespace enfold::serve

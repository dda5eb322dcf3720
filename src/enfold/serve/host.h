// SPDX-License-Identifier: Apache-2.0
// The threads, timers, clocks and random numbers that a server uses. A real server has an event
// loop (loop_host.h); tests use a host whose time they set.
#pragma once

#include "enfold/mcp/peer/server_action.h"
#include "enfold/net/callback.h"

namespace enfold::serve {

/// Owns a task that runs later. Destroying the alarm cancels the task. The task itself must not
/// destroy the alarm.
class Alarm {
 public:
  virtual ~Alarm() = default;
};

class Host {
 public:
  virtual ~Host() = default;

  /// Runs a job on a worker thread. False: too many jobs wait already, and it does not run.
  [[nodiscard]] virtual bool work(net::Task job) = 0;
  /// Runs a task on the serving thread. May be called from any thread.
  virtual void post(net::Task task) = 0;
  /// Runs a task on the serving thread after a wait. Called on that thread.
  [[nodiscard]] virtual std::unique_ptr<Alarm> after(std::chrono::milliseconds wait,
                                                     net::Task task) = 0;

  /// Monotonic time. May be called from any thread.
  [[nodiscard]] virtual std::chrono::microseconds clock() const = 0;
  /// Wall-clock time since 1970. May be called from any thread.
  [[nodiscard]] virtual std::chrono::sys_time<std::chrono::microseconds> calendar() const = 0;
  virtual void fill_random(std::span<std::uint8_t> bytes) = 0;  ///< of cryptographic quality

  /// Monotonic time on the serving thread, cheap and less exact: with an event loop, the time at
  /// which the loop last woke.
  [[nodiscard]] virtual mcp::Time now() const {
    return std::chrono::duration_cast<mcp::Time>(clock());
  }
};

}  // namespace enfold::serve

// SPDX-License-Identifier: Apache-2.0
// Threads, timers, clocks and random numbers of a real server: an event loop, and worker threads
// for handlers that take longer than the loop may wait.
#pragma once

#include "enfold/base/random.h"
#include "enfold/net/loop.h"
#include "enfold/serve/host.h"

#include <condition_variable>
#include <deque>
#include <thread>

namespace enfold::serve {

/// Up to `count` threads (at least one) and a queue of up to `max_waiting` jobs.
class Workers {
 public:
  Workers(std::size_t count, std::size_t max_waiting);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();  ///< waits for running jobs; drops those that wait in the queue

  /// False: the queue is full. Starts a thread if all are busy. May be called from any thread.
  [[nodiscard]] bool run(net::Task job);
  /// From now on up to `count` threads, if they are more than before. They start when needed.
  void allow(std::size_t count);
  /// Waits until no job runs or is queued; false: not within this time.
  [[nodiscard]] bool is_idle_within(std::chrono::milliseconds timeout);

 private:
  void run_jobs();  ///< what each thread does

  const std::size_t max_waiting_;
  std::mutex mutex_;                ///< guards the members below
  std::size_t count_;               ///< most threads
  std::condition_variable wakeup_;  ///< a job is queued, or `stopping_` is set
  std::condition_variable idle_;    ///< no job runs or is queued
  std::deque<net::Task> waiting_;   ///< jobs that no thread has begun
  std::size_t busy_ = 0;            ///< threads that run a job
  bool stopping_ = false;           ///< the destructor runs: threads end after their job
  std::vector<std::thread> threads_;
};

/// The Host of a real server. Its serving thread is the one that runs the loop.
class LoopHost final : public Host {
 public:
  LoopHost(net::Loop& loop, std::size_t workers, std::size_t max_waiting)
      : loop_(loop), workers_(workers, max_waiting) {}

  [[nodiscard]] bool work(net::Task job) override { return workers_.run(std::move(job)); }
  void post(net::Task task) override { loop_.post(std::move(task)); }
  [[nodiscard]] std::unique_ptr<Alarm> after(std::chrono::milliseconds wait,
                                             net::Task task) override {
    return std::make_unique<LoopAlarm>(loop_, wait, std::move(task));
  }
  [[nodiscard]] std::chrono::microseconds clock() const override {
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
  }
  [[nodiscard]] std::chrono::sys_time<std::chrono::microseconds> calendar() const override {
    return std::chrono::time_point_cast<std::chrono::microseconds>(
        std::chrono::system_clock::now());
  }
  void fill_random(std::span<std::uint8_t> bytes) override { enfold::fill_random(bytes); }
  [[nodiscard]] mcp::Time now() const override {
    return std::chrono::duration_cast<mcp::Time>(loop_.now().time_since_epoch());
  }

  [[nodiscard]] net::Loop& loop() { return loop_; }
  [[nodiscard]] Workers& workers() { return workers_; }

 private:
  class LoopAlarm final : public Alarm {
   public:
    LoopAlarm(net::Loop& loop, std::chrono::milliseconds wait, net::Task task)
        : timer_(loop, std::move(task)) {
      timer_.set_after(wait);
    }

   private:
    net::Timer timer_;
  };

  net::Loop& loop_;
  Workers workers_;
};

}  // namespace enfold::serve

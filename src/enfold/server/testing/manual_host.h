// SPDX-License-Identifier: Apache-2.0
// A host without threads, for tests: the test moves the time, and calls run() to do the work.
// Other threads may only post and ask for the time.
#pragma once

#include "enfold/serve/host.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace enfold::server {

class ManualHost final : public serve::Host {
 public:
  ManualHost() = default;
  ManualHost(const ManualHost&) = delete;
  ManualHost& operator=(const ManualHost&) = delete;
  // Work that never ran may own alarms, and post tasks when it is destroyed: so it is destroyed
  // while the host is still whole.
  ~ManualHost() override {
    while (!jobs.empty()) {
      const net::Task dropped = std::move(jobs.front());
      jobs.pop_front();
    }
    while (take_posted()) {
    }
  }

  bool work(net::Task job) override {
    if (jobs.size() >= most_jobs) return false;
    jobs.push_back(std::move(job));
    return true;
  }
  void post(net::Task task) override {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
    has_posted_.notify_one();
  }
  std::unique_ptr<serve::Alarm> after(std::chrono::milliseconds wait, net::Task task) override {
    const std::uint64_t key = ++last_alarm_;
    alarms_.emplace(key, PendingAlarm{time + wait, std::move(task)});
    return std::make_unique<AlarmHandle>(*this, key);
  }
  std::chrono::microseconds clock() const override {
    const std::lock_guard lock(mutex_);
    return time;
  }
  std::chrono::sys_time<std::chrono::microseconds> calendar() const override {
    return std::chrono::sys_seconds(std::chrono::seconds(1'800'000'000)) + time;
  }
  void fill_random(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(++random_);
  }

  /// Runs jobs and posted tasks until there are none.
  void run() {
    while (true) {
      if (net::Task task = take_posted()) {
        task();
      } else if (!jobs.empty()) {
        run_job();
      } else {
        return;
      }
    }
  }
  /// Waits, in real time, until another thread has posted a task; false: none has.
  [[nodiscard]] bool wait_for_task(std::chrono::steady_clock::time_point until) {
    std::unique_lock lock(mutex_);
    return has_posted_.wait_until(lock, until, [this] { return !posted_.empty(); });
  }
  void run_job() {  ///< the first of `jobs`
    net::Task job = std::move(jobs.front());
    jobs.pop_front();
    job();
  }
  /// Moves the time, then runs the tasks of the alarms that are due.
  void advance(std::chrono::milliseconds by) {
    {
      const std::lock_guard lock(mutex_);
      time += by;
    }
    std::vector<net::Task> due;
    for (auto& [key, alarm] : alarms_) {
      if (alarm.at <= time && alarm.task) due.push_back(std::move(alarm.task));
    }
    for (net::Task& task : due) task();
  }

  std::deque<net::Task> jobs;         ///< that workers would run
  std::size_t most_jobs = 100;        ///< in `jobs`; work() refuses more
  std::chrono::microseconds time{0};  ///< that clock() returns

 private:
  /// Empty: no task is posted.
  [[nodiscard]] net::Task take_posted() {
    const std::lock_guard lock(mutex_);
    if (posted_.empty()) return nullptr;
    net::Task task = std::move(posted_.front());
    posted_.pop_front();
    return task;
  }

  struct PendingAlarm {
    std::chrono::microseconds at;  ///< on clock()
    net::Task task;                ///< empty: it has run
  };
  /// What after() returns.
  class AlarmHandle final : public serve::Alarm {
   public:
    AlarmHandle(ManualHost& host, std::uint64_t key) : host_(host), key_(key) {}
    ~AlarmHandle() override { host_.alarms_.erase(key_); }

   private:
    ManualHost& host_;
    std::uint64_t key_;
  };
  std::map<std::uint64_t, PendingAlarm> alarms_;  ///< by the key of its handle
  std::uint64_t last_alarm_ = 0;                  ///< key of the last alarm
  std::uint64_t random_ = 0;                      ///< last byte of fill_random(), which counts up
  mutable std::mutex mutex_;                      ///< of the time and of the posted tasks
  std::condition_variable has_posted_;
  std::deque<net::Task> posted_;  ///< for the serving thread
};

}  // namespace enfold::server

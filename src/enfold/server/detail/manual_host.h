// SPDX-License-Identifier: Apache-2.0
// A host without threads, for tests: the test moves the time, and calls run() to do the work.
#pragma once

#include "enfold/serve/host.h"

#include <deque>
#include <map>
#include <vector>

namespace enfold::server {

class ManualHost final : public serve::Host {
 public:
  ManualHost() = default;
  ManualHost(const ManualHost&) = delete;
  ManualHost& operator=(const ManualHost&) = delete;
  // Work that never ran may own alarms, and post when it is destroyed.
  ~ManualHost() override {
    while (!jobs.empty() || !posted.empty()) {
      std::deque<net::Task>& left = jobs.empty() ? posted : jobs;
      const net::Task dropped = std::move(left.front());
      left.pop_front();
    }
  }

  bool work(net::Task job) override {
    if (jobs.size() >= most_jobs) return false;
    jobs.push_back(std::move(job));
    return true;
  }
  void post(net::Task task) override { posted.push_back(std::move(task)); }
  std::unique_ptr<serve::Alarm> after(std::chrono::milliseconds wait, net::Task task) override {
    const std::uint64_t key = ++last_alarm_;
    alarms_.emplace(key, Entry{time + wait, std::move(task)});
    return std::make_unique<Entered>(*this, key);
  }
  std::chrono::microseconds clock() const override { return time; }
  std::chrono::sys_time<std::chrono::microseconds> calendar() const override {
    return std::chrono::sys_seconds(std::chrono::seconds(1'800'000'000)) + time;
  }
  void fill_random(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(++random_);
  }

  /// Runs jobs and posted tasks until there are none.
  void run() {
    while (!jobs.empty() || !posted.empty()) {
      if (!posted.empty()) {
        net::Task task = std::move(posted.front());
        posted.pop_front();
        task();
      } else {
        run_job();
      }
    }
  }
  void run_job() {
    net::Task job = std::move(jobs.front());
    jobs.pop_front();
    job();
  }
  void advance(std::chrono::milliseconds by) {
    time += by;
    std::vector<net::Task> due;
    for (auto& [key, entry] : alarms_) {
      if (entry.at <= time && entry.task) due.push_back(std::move(entry.task));
    }
    for (net::Task& task : due) task();
  }

  std::deque<net::Task> jobs;    ///< for workers
  std::deque<net::Task> posted;  ///< for the serving thread
  std::size_t most_jobs = 100;   ///< that wait; `work` refuses more
  std::chrono::microseconds time{0};

 private:
  struct Entry {
    std::chrono::microseconds at;
    net::Task task;
  };
  class Entered final : public serve::Alarm {
   public:
    Entered(ManualHost& host, std::uint64_t key) : host_(host), key_(key) {}
    ~Entered() override { host_.alarms_.erase(key_); }

   private:
    ManualHost& host_;
    std::uint64_t key_;
  };
  std::map<std::uint64_t, Entry> alarms_;
  std::uint64_t last_alarm_ = 0;
  std::uint64_t random_ = 0;
};

}  // namespace enfold::server

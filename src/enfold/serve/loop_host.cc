// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/loop_host.h"

#include "enfold/net/thread_priority.h"

#include <algorithm>

namespace enfold::serve {

Workers::Workers(std::size_t count, std::size_t max_waiting)
    : max_waiting_(max_waiting), count_(std::max<std::size_t>(count, 1)) {}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  wakeup_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Workers::run(net::Task job) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= max_waiting_) return false;
    waiting_.push_back(std::move(job));
    if (waiting_.size() + busy_ > threads_.size() && threads_.size() < count_) {
      threads_.emplace_back([this] { run_jobs(); });
    }
  }
  wakeup_.notify_one();
  return true;
}

void Workers::allow(std::size_t count) {
  const std::lock_guard lock(mutex_);
  count_ = std::max(count_, count);
}

bool Workers::is_idle_within(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, timeout, [this] { return busy_ == 0 && waiting_.empty(); });
}

void Workers::run_jobs() {
  net::lower_priority_of_this_thread();
  std::unique_lock lock(mutex_);
  while (true) {
    wakeup_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    net::Task job = std::move(waiting_.front());
    waiting_.pop_front();
    ++busy_;
    lock.unlock();
    job();
    job = nullptr;  // destroyed before this thread counts as idle
    lock.lock();
    --busy_;
    if (busy_ == 0 && waiting_.empty()) idle_.notify_all();
  }
}

}  // namespace enfold::serve

// SPDX-License-Identifier: Apache-2.0
// A fixed number of threads and a queue with an end.
#pragma once

#include "enfold/net/callback.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace enfold::serve {

class Workers {
 public:
  Workers(std::size_t count, std::size_t max_waiting);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();  ///< waits for what runs; what only waits is dropped

  /// False: too many wait. Threads are started when they are first needed.
  [[nodiscard]] bool run(net::Task job);
  /// Whether nothing runs or waits any more.
  [[nodiscard]] bool is_idle_within(std::chrono::milliseconds patience);

 private:
  void serve();

  const std::size_t count_;
  const std::size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable wakeup_;
  std::condition_variable idle_;
  std::deque<net::Task> waiting_;
  std::size_t busy_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace enfold::serve

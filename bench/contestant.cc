// SPDX-License-Identifier: Apache-2.0
#include "bench/contestant.h"

#include "bench/heap.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

namespace enfold::bench {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Contestant copying(std::string_view message) {
  const auto room = std::make_shared<std::string>(message);
  return {.name = "memcpy", .seconds_each = [=](std::size_t times) {
            const double start = thread_seconds();
            for (std::size_t i = 0; i < times; ++i) {
              std::memcpy(room->data(), message.data(), message.size());
              asm volatile("" : : "r"(room->data()) : "memory");  // the copy must happen
            }
            return (thread_seconds() - start) / static_cast<double>(times);
          }};
}

Contestant tree(std::string name, TreeJob tree_job, Job job, std::string_view message) {
  const auto output = [=] {
    std::string made;
    tree_job(job, message, &made);
    return made;
  };
  const auto take_over = [=](json::Buffer input) {
    tree_job(job, input.view(), nullptr);
    return input.view().size();
  };
  return owning(std::move(name), take_over, message,
                job == Job::parse ? std::function<std::string()>() : output);
}

Contestant owning(std::string name, OwningJob job, std::string_view message,
                  std::function<std::string()> output) {
  const auto seconds_each = [=](std::size_t times) {
    // Every message comes in a buffer of its own, as from a socket, half of a second-level cache at
    // a time: the clock, which costs a system call, is not asked after every few runs.
    const std::size_t batch = std::clamp<std::size_t>((512 << 10) / message.size(), 1, 256);
    std::vector<json::Buffer> inputs;
    inputs.reserve(batch);
    double spent = 0;
    for (std::size_t done = 0; done < times;) {
      inputs.clear();
      while (inputs.size() < std::min(batch, times - done)) inputs.emplace_back(message);
      const double start = thread_seconds();
      for (json::Buffer& input : inputs) {
        if (job(std::move(input)) == 0) std::abort();
      }
      spent += thread_seconds() - start;
      done += inputs.size();
    }
    return spent / static_cast<double>(times);
  };
  const auto weigh = [=] {
    json::Buffer input(message);
    return peak_heap([&] { job(std::move(input)); });
  };
  return {std::move(name), seconds_each, std::move(output), weigh};
}

}  // namespace enfold::bench

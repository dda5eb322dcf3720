// SPDX-License-Identifier: Apache-2.0
// A program that runs while the test goes on, to be killed at a bad moment, and the loop that does
// so many times. What it prints is what it has promised.
#pragma once

#include "tests/support/cases.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <iostream>
#include <poll.h>
#include <random>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace enfold::testing {

class Killable {
 public:
  /// `become` runs in the new process: it gets a descriptor for standard output and one that takes
  /// everything and gives nothing, and does not return.
  template <class Become>
  explicit Killable(const Become& become) {
    std::array<int, 2> ends{};
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    process_ = ::fork();
    if (process_ < 0) std::abort();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      become(ends[1], nothing);
      ::_exit(98);
    }
    ::close(nothing);
    ::close(ends[1]);
    output_ = ends[0];
  }
  ~Killable() {
    kill();
    ::close(output_);
  }
  Killable(const Killable&) = delete;
  Killable& operator=(const Killable&) = delete;

  /// Takes what it prints for so long, or until it ends.
  void listen(std::chrono::microseconds time) {
    const auto deadline = Clock::now() + time;
    while (take_some(deadline)) {
    }
  }
  /// … until so many lines have been printed, or it ends.
  void listen_until(std::size_t lines) {
    const auto deadline = Clock::now() + kPatience;
    const auto has = [&] { return std::count(printed_.begin(), printed_.end(), '\n'); };
    while (has() < static_cast<std::ptrdiff_t>(lines) && take_some(deadline)) {
    }
  }
  void signal(int number) const { ::kill(process_, number); }
  void kill() {  ///< kill -9
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    finish();
  }
  void finish() {  ///< waits for its end
    if (process_ <= 0) return;
    listen(kPatience);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  /// What it has printed so far, whole lines only: a kill may have cut the last.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::istringstream stream(printed_.substr(0, printed_.rfind('\n') + 1));
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPatience{120};

  bool take_some(Clock::time_point deadline) {  // false: at its end, or too late
    for (;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::microseconds>(deadline - Clock::now()).count();
      if (left <= 0) return false;
      pollfd ready{output_, POLLIN, 0};
      const timespec wait{left / 1'000'000, left % 1'000'000 * 1000};
      if (::ppoll(&ready, 1, &wait, nullptr) <= 0) continue;
      std::array<char, 65536> piece{};
      const ssize_t got = ::read(output_, piece.data(), piece.size());
      if (got <= 0) return false;
      printed_.append(piece.data(), static_cast<std::size_t>(got));
      return true;
    }
  }

  int output_ = -1;
  pid_t process_ = -1;
  std::string printed_;
};

/// Calls `round(seed, random)`, which starts, kills and checks a program and answers how many
/// handles it had printed: 20 times in `make test`, 500 times in `make nightly`.
template <class Round>
void kill_many_times(const std::string& what, unsigned random_seed, const Round& round) {
  const int kills = property_cases(20, 500);
  std::mt19937 random(random_seed);
  std::size_t printed = 0;
  for (int seed = 1; seed <= kills && !::testing::Test::HasFailure(); ++seed) {
    printed += round(seed, random);
  }
  EXPECT_GT(printed, static_cast<std::size_t>(kills)) << "killed too early to show anything";
  std::cout << "[ kill -9  ] " << what << ": " << kills << " kills, " << printed
            << " handles, all open\n";
}

}  // namespace enfold::testing

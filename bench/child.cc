// SPDX-License-Identifier: Apache-2.0
#include "bench/child.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fmt/core.h>
#include <fstream>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace enfold::bench {
namespace {

// Those that the program was started with, before it bound itself to one.
const cpu_set_t& processors() {
  static const cpu_set_t all = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  return all;
}

void stay_on(int wanted) {
  int seen = 0;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &processors()) || seen++ != wanted) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

}  // namespace

bool stay_on_load_processor() {
  const bool two = CPU_COUNT(&processors()) > 1;
  stay_on(two ? 1 : 0);
  return two;
}

Child::Child(const std::vector<std::string>& command, int input, int output) {
  static_cast<void>(processors());
  std::fflush(nullptr);
  process_ = fork();
  if (process_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  stay_on(0);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(input < 0 ? nowhere : input, STDIN_FILENO);
  dup2(output < 0 ? nowhere : output, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  become(command);
}

Child::Child(Child&& other) noexcept : process_(std::exchange(other.process_, -1)) {}

Child::~Child() {
  if (process_ <= 0) return;
  // Those that it started itself belong to its group.
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

double Child::cpu_time() const {
  clockid_t clock{};
  timespec now{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::size_t Child::anonymous_memory() const {
  std::ifstream status(fmt::format("/proc/{}/status", process_));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::strtoull(line.c_str() + 8, nullptr, 10) * 1024;
  }
  return 0;
}

}  // namespace enfold::bench

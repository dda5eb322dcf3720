// SPDX-License-Identifier: Apache-2.0
#include "bench/web_process.h"

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace enfold::bench {
namespace {

// The processors of this process at its start.
const cpu_set_t& processors() {
  static const cpu_set_t all = [] {
    cpu_set_t set;
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

// Runs `body` in a child on the processor of the servers; what it says on stderr is not wanted.
pid_t in_child(const std::function<void()>& body) {
  static_cast<void>(processors());
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  stay_on(0);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO);
  body();
  _exit(127);
}

void run_command(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
}

std::uint16_t read_port(int from) {
  std::string line;
  char c = 0;
  while (read(from, &c, 1) == 1 && c != '\n') line += c;
  return static_cast<std::uint16_t>(std::strtoul(line.c_str(), nullptr, 10));
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool accepts(std::uint16_t port) {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const bool good =
      connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(probe);
  return good;
}

}  // namespace

bool stay_on_load_processor() {
  const bool two = CPU_COUNT(&processors()) > 1;
  stay_on(two ? 1 : 0);
  return two;
}

std::optional<WebProcess> WebProcess::start(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (access(command.front().c_str(), X_OK) != 0 || pipe(ends.data()) != 0) return std::nullopt;
  const pid_t child = in_child([&] {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    run_command(command);
  });
  close(ends[1]);
  WebProcess started(child, read_port(ends[0]));
  close(ends[0]);
  if (started.port() == 0) return std::nullopt;
  return started;
}

std::optional<WebProcess> WebProcess::start(const std::vector<std::string>& command,
                                            std::uint16_t port) {
  if (access(command.front().c_str(), X_OK) != 0) return std::nullopt;
  WebProcess started(in_child([&] { run_command(command); }), port);
  for (int i = 0; i < 500; ++i) {
    if (accepts(port)) return started;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return std::nullopt;
}

WebProcess::WebProcess(WebProcess&& other) noexcept
    : child_(std::exchange(other.child_, -1)), port_(other.port_) {}

WebProcess::~WebProcess() {
  if (child_ <= 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

double WebProcess::cpu_time() const {
  clockid_t clock{};
  timespec now{};
  if (clock_getcpuclockid(child_, &clock) != 0 || clock_gettime(clock, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::size_t WebProcess::anonymous_memory() const {
  std::ifstream status(fmt::format("/proc/{}/status", child_));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::strtoull(line.c_str() + 8, nullptr, 10) * 1024;
  }
  return 0;
}

std::uint16_t free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(probe, reinterpret_cast<const sockaddr*>(&address), size) != 0) return 0;
  getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
  close(probe);
  return ntohs(address.sin_port);
}

}  // namespace enfold::bench

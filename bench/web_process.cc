// SPDX-License-Identifier: Apache-2.0
#include "bench/web_process.h"

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace enfold::bench {
namespace {

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

std::optional<WebProcess> WebProcess::start(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (access(command.front().c_str(), X_OK) != 0 || pipe2(ends.data(), O_CLOEXEC) != 0) {
    return std::nullopt;
  }
  Child child(command, -1, ends[1]);
  close(ends[1]);
  const std::uint16_t port = read_port(ends[0]);
  close(ends[0]);
  if (port == 0) return std::nullopt;
  return WebProcess(std::move(child), port);
}

std::optional<WebProcess> WebProcess::start(const std::vector<std::string>& command,
                                            std::uint16_t port) {
  if (access(command.front().c_str(), X_OK) != 0) return std::nullopt;
  WebProcess started(Child(command, -1, -1), port);
  for (int i = 0; i < 1'500; ++i) {
    if (accepts(port)) return started;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return std::nullopt;
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

// SPDX-License-Identifier: Apache-2.0
// A server that is measured: a process of its own, on one processor, whose CPU time and memory can
// be asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace enfold::bench {

/// Servers run on the first processor that this process may use, the load on the second. With one
/// processor they share it, and a note in the report says so.
[[nodiscard]] bool stay_on_load_processor();

class WebProcess {
 public:
  /// A program that prints its port as the first line; nothing when it does not.
  [[nodiscard]] static std::optional<WebProcess> start(const std::vector<std::string>& command);
  /// A program that listens where it was told to.
  [[nodiscard]] static std::optional<WebProcess> start(const std::vector<std::string>& command,
                                                       std::uint16_t port);
  WebProcess(WebProcess&& other) noexcept;
  WebProcess& operator=(WebProcess&&) = delete;
  WebProcess(const WebProcess&) = delete;
  WebProcess& operator=(const WebProcess&) = delete;
  ~WebProcess();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Seconds of all its threads, in user and kernel mode.
  [[nodiscard]] double cpu_time() const;
  /// Bytes that belong to it alone: no code, no constant tables.
  [[nodiscard]] std::size_t anonymous_memory() const;

 private:
  WebProcess(pid_t child, std::uint16_t port) : child_(child), port_(port) {}
  pid_t child_ = -1;
  std::uint16_t port_ = 0;
};

/// A port on loopback that nobody uses at the moment.
[[nodiscard]] std::uint16_t free_port();

}  // namespace enfold::bench

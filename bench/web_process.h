// SPDX-License-Identifier: Apache-2.0
// A web server that is measured.
#pragma once

#include "bench/child.h"

#include <cstdint>
#include <optional>

namespace enfold::bench {

class WebProcess {
 public:
  /// A program that prints its port as the first line; nothing when it does not.
  [[nodiscard]] static std::optional<WebProcess> start(const std::vector<std::string>& command);
  /// A program that listens where it was told to.
  [[nodiscard]] static std::optional<WebProcess> start(const std::vector<std::string>& command,
                                                       std::uint16_t port);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const Child& process() const { return child_; }

 private:
  WebProcess(Child child, std::uint16_t port) : child_(std::move(child)), port_(port) {}
  Child child_;
  std::uint16_t port_ = 0;
};

/// A port on loopback that nobody uses at the moment.
[[nodiscard]] std::uint16_t free_port();

}  // namespace enfold::bench

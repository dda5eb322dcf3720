// SPDX-License-Identifier: Apache-2.0
// Node's JSON as a contestant: one child process that is told what to do over a pipe and times
// itself, so that its rounds stand between those of the others.
#pragma once

#include "bench/contestant.h"

#include <cstdio>
#include <optional>
#include <string>
#include <sys/types.h>

namespace enfold::bench {

class Node {
 public:
  /// The Node of tests/peers; not running() when it is not installed.
  explicit Node(std::string folder);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  [[nodiscard]] bool running() const { return child_ > 0; }
  [[nodiscard]] std::string version();
  /// `file` holds the message. The process remembers only the contestant made last.
  [[nodiscard]] Contestant contestant(Job job, const std::string& file);
  /// Growth of the resident set in a fresh process.
  [[nodiscard]] std::optional<std::size_t> peak_resident(Job job, const std::string& file) const;

 private:
  std::string ask(const std::string& line);

  std::string folder_;  ///< for what it writes
  pid_t child_ = -1;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
};

}  // namespace enfold::bench

// SPDX-License-Identifier: Apache-2.0
// A load generator for a server on pipes: so many calls under way at any time, a line each.
#pragma once

#include "bench/child.h"
#include "bench/load.h"

#include <functional>

namespace enfold::bench {

class StdioLoad {
 public:
  /// Starts the program and greets it.
  explicit StdioLoad(const std::vector<std::string>& command);
  StdioLoad(const StdioLoad&) = delete;
  StdioLoad& operator=(const StdioLoad&) = delete;
  ~StdioLoad();

  /// Seconds from the start of the program to its answer to initialize.
  [[nodiscard]] double greeting() const { return greeting_; }
  [[nodiscard]] const Child& process() const { return *child_; }

  /// One call after the other; the line of the answer.
  [[nodiscard]] std::string exchange(const std::string& tool, const std::string& arguments);
  [[nodiscard]] LoadResult run(std::size_t in_flight, double seconds, const std::string& tool,
                               const std::string& arguments);

 private:
  void send(const std::string& lines) const;
  /// Blocks for at least one line.
  void read_lines(const std::function<void(std::string_view line)>& each);

  int to_ = -1;
  int from_ = -1;
  std::unique_ptr<Child> child_;
  double greeting_ = 0;
  std::size_t last_id_ = 0;
  std::string unread_;
};

}  // namespace enfold::bench

// SPDX-License-Identifier: Apache-2.0
// The parts of scale_bench. Each measures one operation with little and with much of what it must
// not depend on, adds a row to the report, and adds a target to its verdicts.
#pragma once

#include "bench/verdicts.h"

#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace enfold::bench {

struct ScaleReport {
  bool quick = false;
  std::string text;
  Verdicts verdicts;

  void heading(const std::string& title, const std::string& explanation) {
    add(fmt::format("\n### {}\n\n{}\n\n| what | few | many | ratio |\n|---|---:|---:|---:|\n",
                    title, explanation));
  }
  /// One line of the table; the target is `ratio` ≤ `limit`.
  void row(const std::string& what, const std::string& little, const std::string& much,
           double ratio, double limit) {
    add(fmt::format("| {} | {} | {} | {:.2f} |\n", what, little, much, ratio));
    verdicts.at_most(what + ", ratio", limit, ratio);
  }
  /// A line without a target.
  void line(const std::string& what, const std::string& little, const std::string& much) {
    add(fmt::format("| {} | {} | {} | |\n", what, little, much));
  }
  void add(const std::string& more) {
    text += more;
    fmt::print("{}", more);
    std::fflush(stdout);
  }
};

inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// Archived answers, principals and expired answers, in SQLite and in Redis.
void measure_archive(ScaleReport& report);

/// Principals, tools, upstreams and sessions of `enfold serve`.
void measure_gateway(ScaleReport& report);

}  // namespace enfold::bench

// SPDX-License-Identifier: Apache-2.0
// Promises and what was measured, as the table that tools/bench counts.
#pragma once

#include <fmt/core.h>
#include <string>

namespace enfold::bench {

class Verdicts {
 public:
  void at_least(const std::string& what, double limit, double measured) {
    add(fmt::format("{} ≥ {:.4g}", what, limit), measured, measured >= limit);
  }
  void at_most(const std::string& what, double limit, double measured) {
    add(fmt::format("{} ≤ {:.4g}", what, limit), measured, measured <= limit);
  }
  [[nodiscard]] std::string to_markdown() const {
    return "\n### Targets\n\n| target | measured | |\n|---|---:|---|\n" + rows_;
  }

 private:
  void add(const std::string& what, double measured, bool holds) {
    rows_ += fmt::format("| {} | {:.3g} | {} |\n", what, measured, holds ? "PASS" : "MISS");
  }
  std::string rows_;
};

}  // namespace enfold::bench

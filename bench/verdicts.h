// SPDX-License-Identifier: Apache-2.0
// Promises and what was measured, as the table that tools/bench counts.
#pragma once

#include <ctime>
#include <fmt/core.h>
#include <fstream>
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

/// Keeps a report as FOLDER/NAME.md, with the date.
inline void record(const std::string& folder, const std::string& name, const std::string& title,
                   const std::string& text) {
  const std::time_t now = std::time(nullptr);
  std::string date(10, ' ');
  tm parts{};
  std::strftime(date.data(), date.size() + 1, "%F", gmtime_r(&now, &parts));
  std::ofstream(fmt::format("{}/{}.md", folder, name)) << fmt::format(
      "# {}\n\nThese figures were measured on {} with `tools/bench {} --record "
      "docs/measurements`.\n\n{}",
      title, date, name, text);
}

}  // namespace enfold::bench

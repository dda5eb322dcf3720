// SPDX-License-Identifier: Apache-2.0
// The measurements as Markdown tables, which also read well on a terminal, and as JSON.
#pragma once

#include "bench/rounds.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::bench {

struct Resident {
  std::string name;
  std::size_t growth = 0;  ///< bytes
  std::size_t input = 0;
};

/// A promise and what was measured.
struct Target {
  std::string what;
  double limit = 0;
  bool at_least = true;  ///< else at most
  double measured = 0;
  [[nodiscard]] bool holds() const { return at_least ? measured >= limit : measured <= limit; }
};

struct Report {
  std::vector<Race> races;
  std::vector<Resident> resident;
  std::vector<std::string> notes;
  std::vector<Target> targets;
};

[[nodiscard]] std::string to_markdown(const Race& race);
[[nodiscard]] std::string to_markdown(const std::vector<Resident>& resident);
[[nodiscard]] std::string to_markdown(const std::vector<Target>& targets);
[[nodiscard]] std::string to_json(const Report& report);

}  // namespace enfold::bench

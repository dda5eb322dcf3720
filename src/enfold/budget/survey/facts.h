// SPDX-License-Identifier: Apache-2.0
// Facts about the whole payload: counts, value counts and ranges. Each can be shown separately.
#pragma once

#include "enfold/budget/survey/outline.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::budget::detail {

struct Fact {
  std::string pointer;       ///< of the list or text it is about
  std::string_view section;  ///< "values", "ranges"; empty: a member of the place itself
  std::string name;
  std::string value;  ///< minified JSON
  Cost cost;
  bool shown = false;
};

/// In order of priority: for each list its count first, then value counts, then ranges.
[[nodiscard]] std::vector<Fact> facts_of(const Outline& outline, const Counter& counter);

/// The facts that are shown, by pointer; nullopt: none.
[[nodiscard]] std::optional<json::Value> write_facts(const std::vector<Fact>& facts);

}  // namespace enfold::budget::detail

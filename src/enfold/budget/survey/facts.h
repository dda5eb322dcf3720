// SPDX-License-Identifier: Apache-2.0
// Statements about the whole payload, one by one, so that as many as fit can be made: how many,
// which values how often, from where to where.
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

/// In the order of their worth: for each place its size first, then value counts, then ranges.
[[nodiscard]] std::vector<Fact> facts_of(const Outline& outline, const Counter& counter);

/// The facts that are shown, by place; nullopt: none.
[[nodiscard]] std::optional<json::Value> write_facts(const std::vector<Fact>& facts);

}  // namespace enfold::budget::detail

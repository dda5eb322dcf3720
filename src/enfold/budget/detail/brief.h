// SPDX-License-Identifier: Apache-2.0
// The short form of one item: members left out, strings clipped, lists shortened. What is left is
// verbatim and of its own type, and meets the schema if the item did.
#pragma once

#include "enfold/budget/detail/constraint.h"
#include "enfold/json/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace enfold::budget::detail {

/// How the items of one list are shortened.
struct BriefStyle {
  std::size_t clip = 160;                    ///< bytes of a string
  std::vector<std::string> keep;             ///< members that every brief shows
  std::vector<std::string> drop;             ///< members that no brief shows
  std::vector<std::string> telling_nothing;  ///< constant over the list, links, machine ids
};

/// Minified JSON. `value` must be compact. nullopt: there is no form that is shorter and still says
/// something. `needed`: even one that says nothing will do.
[[nodiscard]] std::optional<std::string> brief_of(json::View value, const Constraint& constraint,
                                                  const BriefStyle& style, bool needed);

}  // namespace enfold::budget::detail

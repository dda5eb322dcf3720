// SPDX-License-Identifier: Apache-2.0
// The short form of one item: members left out, strings clipped, lists shortened. What is left is
// verbatim and of its own type, and meets the schema if the item did.
#pragma once

#include "enfold/budget/survey/constraint.h"
#include "enfold/json/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace enfold::budget::detail {

/// Members by name, or all of them.
struct MemberNames {
  std::vector<std::string> names;
  bool all = false;
  [[nodiscard]] bool empty() const { return names.empty() && !all; }
  [[nodiscard]] bool hold(json::View key) const;
};

/// How the items of one list are shortened.
struct BriefStyle {
  std::size_t clip = 160;                    ///< bytes of a string
  MemberNames keep;                          ///< members that every brief shows
  MemberNames drop;                          ///< members that no brief shows, unless it keeps them
  std::vector<std::string> telling_nothing;  ///< constant over the list, links, machine ids
  [[nodiscard]] bool drops(json::View key) const { return drop.hold(key) && !keep.hold(key); }
};

/// Values up to this size are priced by the parts of their short form, larger ones when need be.
inline constexpr std::size_t kPricedByParts = 8'192;

struct ShortForm {
  std::string text;         ///< minified JSON
  std::string hidden;       ///< what it leaves out, one after the other, of not too large values
  std::size_t markers = 0;  ///< strings that are clipped
};

/// `value` must be compact. nullopt: there is no form that is shorter and still says something.
/// `needed`: even one that says nothing will do.
[[nodiscard]] std::optional<ShortForm> brief_of(json::View value, const Constraint& constraint,
                                                const BriefStyle& style, bool needed);

}  // namespace enfold::budget::detail

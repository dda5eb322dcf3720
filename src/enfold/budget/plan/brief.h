// SPDX-License-Identifier: Apache-2.0
// The brief of a value: members omitted, strings clipped, arrays shortened, each with a mark in its
// place. The rest is verbatim, types do not change, and the brief meets the constraint if the value
// did.
#pragma once

#include "enfold/budget/survey/constraint.h"
#include "enfold/json/document.h"

namespace enfold::budget::detail {

/// Members by name, or all of them.
struct MemberNames {
  std::vector<std::string> names;
  bool all = false;
  [[nodiscard]] bool empty() const { return names.empty() && !all; }
  [[nodiscard]] bool contains(json::View key) const;
};

/// How the children of one group are shortened. Names are those of members of the children.
struct BriefStyle {
  std::size_t clip = 160;                  ///< bytes of a string
  MemberNames keep;                        ///< members that every brief shows
  MemberNames drop;                        ///< members that no brief shows, unless in `keep`
  std::vector<std::string> uninformative;  ///< constant or empty members, links, machine ids
  /// The style of the last attempt to show data (Fitter::cut_to_least): arrays and maps are
  /// shortened even where the schema forbids a mark.
  [[nodiscard]] bool is_least() const { return clip <= 1; }
  [[nodiscard]] bool drops(json::View key) const {
    return drop.contains(key) && !keep.contains(key);
  }
};

/// For values of up to this many bytes the omitted text is recorded: the cost of the whole is then
/// the cost of the brief, plus that of the omitted text, minus that of the marks.
inline constexpr std::size_t kPricedByParts = 8'192;

struct ShortForm {
  std::string text;               ///< minified JSON
  std::string omitted;            ///< the omitted text, for values up to kPricedByParts
  std::string marks;              ///< all marks in `text`, such as …[+3 items], one after the other
  std::size_t missing_parts = 0;  ///< members, items and lines of strings that are not shown
  /// Some of them have no mark in their place: the schema forbids it.
  bool unmarked = false;
};

/// The brief of a value, which must be compact. nullopt: no brief saves a tenth of the bytes and at
/// least 8. `needed`, or a style that drops members of the value: any shorter form will do.
[[nodiscard]] std::optional<ShortForm> brief_of(json::View value, const Constraint& constraint,
                                                const BriefStyle& style, bool needed);

}  // namespace enfold::budget::detail

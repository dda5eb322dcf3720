// SPDX-License-Identifier: Apache-2.0
// The outline of a payload: opened containers (groups), and their values that are shown or dropped
// as one (units). Its size is limited by the budget, not by the payload. Also facts about the
// whole.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/budget/plan/brief.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/budget/survey/constraint.h"
#include "enfold/budget/survey/survey.h"
#include "enfold/json/document.h"
#include "enfold/json/duplicate_members.h"

#include <array>

namespace enfold::budget::detail {

/// How much of a unit is shown; `row`: as a row of the index.
enum class Detail : std::uint8_t { absent, row, brief, whole };

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// A value that is shown or dropped as one.
struct Unit {
  json::View key;  ///< of an object's member
  json::View value;
  std::uint32_t group = kNone;
  std::uint32_t position = 0;
  std::uint32_t text = kNone;  ///< survey of a long string
  Detail shown = Detail::absent;
  bool removable = true;  ///< the schema lets it be absent
  bool unwanted = false;  ///< the policy drops it as soon as anything is cut
  std::size_t clip = 0;   ///< bytes of a clipped string

  // Computed on first use.
  std::array<std::optional<Cost>, 4> costs;
  std::optional<std::string> brief;  ///< minified JSON, as is the row
  std::string hidden;                ///< the text that the brief omits
  std::size_t markers = 0;           ///< number of strings that the brief clips
  bool brief_known = false;
  std::optional<std::string> row;
};

/// A child of a group: a unit, or a group that was opened.
struct Child {
  bool is_group = false;
  std::uint32_t index = 0;
  std::uint32_t position = 0;
};

/// An opened array or object.
struct Group {
  json::View key;
  json::View value;
  std::string pointer;
  json::MemberTokens tokens;  ///< pointer tokens of the members
  std::uint32_t parent = kNone;
  std::uint32_t position = 0;
  bool removable = true;
  bool columnar = false;  ///< shown as {"cols":[…],"rows":[[…]]}
  std::size_t count = 0;  ///< children in the payload
  Constraint constraint;
  std::optional<Survey> survey;  ///< of lists
  BriefStyle style;
  std::vector<Child> children;             ///< by position
  std::vector<std::uint32_t> order;        ///< units by priority
  std::vector<std::uint32_t> exceptional;  ///< units: rare or failing
  std::uint32_t last = kNone;              ///< unit of the last item
  std::size_t label_width = 0;             ///< bytes of a label in a row; 0: not chosen yet
  std::size_t rows = 0;                    ///< units shown as a row
  Cost row_cost;                           ///< average cost of a row, once known
  std::size_t reserved_rows = 0;           ///< units with room reserved for a row
  std::size_t visible = 0;                 ///< number of visible children
  std::optional<Cost> index_cost;          ///< of an index without rows
  std::optional<Cost> frame_cost;          ///< of the group without children

  [[nodiscard]] bool is_list() const { return survey.has_value(); }
  [[nodiscard]] bool is_visible() const { return visible > 0; }
};

/// A long string.
struct Text {
  std::uint32_t unit = 0;
  std::size_t decoded = 0;  ///< bytes of the decoded text
  TextSurvey survey;
  std::vector<Line> lines;       ///< candidates for rows, by priority
  std::vector<char> line_shown;  ///< by line: 1 if it has a row
  std::vector<std::optional<Cost>> line_costs;
  std::size_t rows = 0;
};

struct Outline {
  json::View payload;
  std::vector<Group> groups;  ///< breadth first; empty when the payload is a scalar
  std::vector<Unit> units;
  std::vector<Text> texts;

  [[nodiscard]] std::string pointer(const Unit& unit) const;
  [[nodiscard]] Constraint constraint(const Unit& unit) const;
  Constraint root_constraint;
};

/// `payload` must be compact. `schema` null: none.
[[nodiscard]] Outline outline(json::View payload, std::size_t budget_tokens, const Policy& policy,
                              const json::View* schema, const Counter& counter);

/// Whether a pointer matches a pattern, in which `*` matches any token.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view pointer);

/// A fact about the whole payload: a count, value counts or a range. Each can be shown separately.
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

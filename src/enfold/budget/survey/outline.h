// SPDX-License-Identifier: Apache-2.0
// The outline of a payload, with a size that is limited by the budget and not by the payload.
//
// A group is an opened array or object; a unit is one of its items or members, which is shown or
// dropped as one. A unit is shown whole, as a brief (shortened), as a row of the index (id and
// label of an item, key of a member), or not at all. A list is an array of four or more items, or a
// map: an object of eight or more members that are objects of the same kind. A fact is a statement
// about a whole list, object or text: a count, value counts, a range.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/budget/plan/brief.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/budget/survey/constraint.h"
#include "enfold/budget/survey/survey.h"
#include "enfold/budget/text/digest.h"
#include "enfold/json/document.h"
#include "enfold/json/duplicate_members.h"

#include <array>

namespace enfold::budget::detail {

/// How much of a unit is shown; `index_row`: as a row of the index.
enum class Detail : std::uint8_t { absent, index_row, brief, whole };

inline constexpr std::uint32_t kNone = UINT32_MAX;  // no index

/// A value that is shown or dropped as one.
struct Unit {
  json::View key;  ///< of an object's member; else null
  json::View value;
  std::uint32_t group = kNone;  ///< index in Outline::groups; kNone: the whole payload
  std::uint32_t position = 0;   ///< among the items or members of the group
  std::uint32_t text = kNone;   ///< index in Outline::texts, of a long string
  Detail shown = Detail::absent;
  bool removable = true;     ///< the schema lets it be absent
  bool is_opened = false;    ///< a group took its place: it is never shown itself
  bool unwanted = false;     ///< matches `drop` of the policy, and neither `keep` nor `protect`
  bool never_whole = false;  ///< Base64 and binary data: a prefix is all a reader can use
  std::size_t clip = 0;      ///< bytes of a long string that its brief shows

  // Computed on first use.
  std::array<std::optional<Cost>, 4> costs;  ///< by Detail; nullopt: not computed
  std::optional<std::string> brief;          ///< minified JSON; nullopt: there is none
  std::string omitted;                       ///< the text that the brief omits (ShortForm::omitted)
  std::string marks;               ///< marks that the brief has and the whole has not: …[+3 items]
  std::size_t missing_parts = 0;   ///< members, items and lines that the brief does not show
  bool unmarked = false;           ///< some of them have no mark (ShortForm::unmarked)
  bool brief_known = false;        ///< `brief` was computed, perhaps to nullopt
  std::optional<std::string> row;  ///< row of the index, minified JSON; nullopt: not computed
};

/// A child of a group: a unit, or a group that was opened.
struct Child {
  bool is_group = false;
  std::uint32_t index = 0;     ///< in Outline::groups if is_group, else in Outline::units
  std::uint32_t position = 0;  ///< among all items or members of the group in the payload
};

/// An opened array or object.
struct Group {
  json::View key;  ///< as a member of its parent; else null
  json::View value;
  std::string pointer;
  json::MemberTokens tokens;     ///< pointer tokens of the members
  std::uint32_t parent = kNone;  ///< index in Outline::groups; kNone: this is the whole payload
  std::uint32_t position = 0;    ///< among the children of the parent
  bool removable = true;         ///< the schema lets it be absent
  bool columnar = false;         ///< shown as {"cols":[…],"rows":[[…]]}
  std::size_t count = 0;         ///< children in the payload; `children` may hold fewer
  Constraint constraint;
  std::optional<Survey> survey;  ///< of lists and maps; nullopt: other groups
  BriefStyle style;
  std::vector<Child> children;             ///< candidates to show, by position
  std::vector<std::uint32_t> order;        ///< units by priority, without those opened as groups
  std::vector<std::uint32_t> exceptional;  ///< units: rare or failing
  std::uint32_t last = kNone;              ///< unit of a list's last item; kNone: none, or opened
  std::size_t label_width = 0;             ///< bytes of a label in a row; 0: not chosen yet
  std::size_t rows = 0;                    ///< units shown as a row
  Cost row_cost;                  ///< average cost of a row; zero: unknown, or they do not all fit
  std::size_t reserved_rows = 0;  ///< units for which the plan has reserved room for a row
  std::size_t visible = 0;        ///< visible children, plus one if the group is required
  std::optional<Cost> empty_index_cost;  ///< of an index without rows; nullopt: not computed
  std::optional<Cost> frame_cost;        ///< of the group without children; nullopt: not computed

  [[nodiscard]] bool is_list() const { return survey.has_value(); }
  [[nodiscard]] bool is_visible() const { return visible > 0; }
};

/// A string of 512 bytes or more that is no item of a list.
struct Text {
  std::uint32_t unit = 0;
  text::Digest digest;            ///< its rows are candidates for the index
  std::optional<Survey> records;  ///< of a text that is one table; nullopt: another text
  /// Most bytes of its beginning that get room before the rows do; SIZE_MAX: as many as fit.
  std::size_t head = SIZE_MAX;
  std::vector<char> row_shown;                 ///< by row of the digest: 1 if it is shown
  std::vector<std::optional<Cost>> row_costs;  ///< by row of the digest; nullopt: not computed
  std::size_t rows = 0;                        ///< number of rows that are shown
};

/// Surveys a long text; Text::unit is not set. `most`: number of rows for the index, at most. Also
/// chooses which records of a table are rows.
[[nodiscard]] Text read_text(json::View string, std::size_t most, const Policy& policy,
                             const Counter& counter);

struct Outline {
  json::View payload;
  std::vector<Group> groups;  ///< breadth first; empty when the payload is a scalar
  std::vector<Unit> units;    ///< also those that were opened as groups, and are then not shown
  std::vector<Text> texts;

  [[nodiscard]] std::string pointer(const Unit& unit) const;
  [[nodiscard]] Constraint constraint(const Unit& unit) const;
  /// Whether the cut payload has the child, whole or brief.
  [[nodiscard]] bool is_shown(const Child& child) const {
    return child.is_group ? groups[child.index].is_visible()
                          : units[child.index].shown >= Detail::brief;
  }
  Constraint root_constraint;
};

/// `payload` must be compact. `budget_tokens` limits the number of groups, units and rows. `schema`
/// may be null.
[[nodiscard]] Outline outline(json::View payload, std::size_t budget_tokens, const Policy& policy,
                              const json::View* schema, const Counter& counter);

/// Whether a pointer matches a pattern, in which `*` matches any token. `or_below`: a pointer to
/// something inside of what the pattern points to matches too.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view pointer,
                           bool or_below = false);

/// The order in which a plan gives room to the facts about lists. `inner`: about a list inside of a
/// record. `records`: ids or values of single records; else about all records.
enum class FactTurn : std::uint8_t { whole, records, inner_whole, inner_records };

/// A fact is shown or left out by itself.
struct Fact {
  std::string pointer;       ///< of the list or text it is about
  std::string_view section;  ///< such as "values"; empty: directly under the pointer
  std::string name;
  std::string value;  ///< minified JSON
  Cost cost;
  bool shown = false;
  std::uint32_t text = kNone;       ///< index in Outline::texts, of a fact about a text
  FactTurn turn = FactTurn::whole;  ///< of a fact about a list
  std::uint32_t order = 0;          ///< among the facts of the same list and turn
};

/// Facts by priority: of each list or map its count, value counts, ranges and so on; then facts
/// about texts. None is shown yet.
[[nodiscard]] std::vector<Fact> facts_of(const Outline& outline, const Counter& counter);

/// The facts that are shown, by pointer, without those about texts that are shown whole; nullopt:
/// none.
[[nodiscard]] std::optional<json::Value> write_facts(const std::vector<Fact>& facts,
                                                     const Outline& outline);

}  // namespace enfold::budget::detail

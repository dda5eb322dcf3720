// SPDX-License-Identifier: Apache-2.0
// Renders a plan: the payload, the index, the facts, and the report of what was cut.
#pragma once

#include "enfold/budget/fit.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/budget/plan/plan.h"
#include "enfold/budget/survey/outline.h"
#include "enfold/json/write.h"

namespace enfold::budget::detail {

/// The form of the payload in the answer.
enum class Form {
  data,       ///< the payload itself, cut
  sample,     ///< {"summary":{…},"sample":…}: for payloads that cannot be cut inside their schema
  summary,    ///< {"summary":{…}} for a payload with a schema; else only the mark of the payload
  reference,  ///< {} for a payload with a schema; else the mark. Beside it only the report
  bare,       ///< like `reference`, without the report
};

/// The payload in this form with index, facts and report: all of FitResult but `parts`,
/// `schema_note` and `size`. `has_schema`: whether the payload has a schema. `report`:
/// report_of(plan, form), if the caller has it; else nullptr.
[[nodiscard]] FitResult render(const Plan& plan, Form form, bool has_schema,
                               const FitResult* report = nullptr);

/// Writes what is shown of the payload, with marks.
void write_payload(json::Writer& writer, const Outline& outline, Form form, bool has_schema);
/// Rows for what is not shown, by pointer; nullopt: none.
[[nodiscard]] std::optional<json::Value> write_index(const Outline& outline);

/// Only what was cut: all lists of pointers, `dropped_count` and `left`.
[[nodiscard]] FitResult report_of(const Plan& plan, Form form);
/// Estimated tokens of `dropped`, `briefed` and `clipped`.
[[nodiscard]] std::int64_t report_tokens(const FitResult& fitted, const Counter& counter);

/// Estimated tokens of the marks between the parts that are shown.
[[nodiscard]] std::int64_t mark_tokens(const Plan& plan);

/// The items of the list at `pointer` that are not in the payload: all of them unless the form
/// shows data. Empty if there is no such list.
[[nodiscard]] std::vector<model::RecordRange> items_left(const Outline& outline, Form form,
                                                         const std::string& pointer);

/// FitResult::parts: a line for every part of the payload, every fact, and every text with rows.
[[nodiscard]] std::vector<Part> explain(const Plan& plan, Form form);

// The report of what was cut is a list of limited length: adjacent items become ranges, near ranges
// are joined, members are replaced by their container. The list always covers everything that was
// cut.

/// Children `first` to `last` (included) of a group of the outline.
struct Spot {
  std::uint32_t group = kNone;  ///< kNone: the payload itself
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  friend bool operator==(const Spot&, const Spot&) = default;
};

/// "/items/3..17", "/items/4", "/total", ""
[[nodiscard]] std::string pointer_of(const Outline& outline, const Spot& spot);

/// Pointers that cover all spots, with at most `tokens` as a JSON array; if that is not possible,
/// only "", the whole payload. `spots` must be sorted by group and position. `exact`: up to 32
/// ranges before they are joined to ranges that include other items, else up to 8.
[[nodiscard]] std::vector<std::string> covering_pointers(const Outline& outline,
                                                         std::vector<Spot> spots,
                                                         std::int64_t tokens, bool exact,
                                                         const Counter& counter);

/// Adds `more` to `places`, without those that other places cover.
void add_places(std::vector<std::string>& places, const std::vector<std::string>& more);

/// Tokens of the pointers as a JSON array.
[[nodiscard]] std::int64_t token_cost(const std::vector<std::string>& places,
                                      const Counter& counter);

}  // namespace enfold::budget::detail

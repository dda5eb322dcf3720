// SPDX-License-Identifier: Apache-2.0
// Renders a plan: the payload, the index, the facts, and the report of what was cut.
#pragma once

#include "enfold/budget/fit.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/budget/plan/plan.h"
#include "enfold/budget/survey/outline.h"

namespace enfold::budget::detail {

/// The form of the payload.
enum class Form {
  data,       ///< the payload itself, cut
  sample,     ///< {"summary":{…},"sample":…}: for payloads that cannot be cut inside their schema
  summary,    ///< {"summary":{…}}
  reference,  ///< {}: nothing but the report
  bare,       ///< {}, without the report
};

/// Does not fill `parts`. `report`: the result of `report_of` for the same plan, if known.
[[nodiscard]] FitResult render(const Plan& plan, Form form, const FitResult* report = nullptr);

/// Only the lists of dropped, briefed and clipped parts.
[[nodiscard]] FitResult report_of(const Plan& plan, Form form);
/// Estimated tokens of these lists.
[[nodiscard]] std::int64_t report_tokens(const FitResult& fitted, const Counter& counter);

/// The items of the list at `pointer` that the answer does not show in any form but a row.
[[nodiscard]] std::vector<model::RecordRange> items_left(const Outline& outline, Form form,
                                                         const std::string& pointer);

/// One line for every part of the payload, for FitResult::parts.
[[nodiscard]] std::vector<Part> explain(const Plan& plan, Form form);

// The report of what was cut is a list of limited length: adjacent items become ranges, near ranges
// are joined, members are replaced by their container. The list always covers everything that was
// cut.

/// Children `first` to `last` of one container; Outline calls the containers groups.
struct Spot {
  std::uint32_t group = kNone;  ///< kNone: the payload itself
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  friend bool operator==(const Spot&, const Spot&) = default;
};

/// "/items/3..17", "/items/4", "/total", ""
[[nodiscard]] std::string pointer_of(const Outline& outline, const Spot& spot);

/// Pointers that cover all spots, at most about `tokens` as a JSON array. `spots` must be sorted by
/// group and position.
[[nodiscard]] std::vector<std::string> covering_pointers(const Outline& outline,
                                                         std::vector<Spot> spots,
                                                         std::int64_t tokens,
                                                         const Counter& counter);

/// Tokens of the pointers as a JSON array.
[[nodiscard]] std::int64_t token_cost(const std::vector<std::string>& places,
                                      const Counter& counter);

}  // namespace enfold::budget::detail

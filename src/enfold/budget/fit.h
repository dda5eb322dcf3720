// SPDX-License-Identifier: Apache-2.0
// Fits a payload into a budget, deterministically and within its output schema. Shows breadth
// first: facts about the whole; first, last, rare and failing items; one row per item; briefs
// (shortened items); whole items. Takes time linear in the payload plus an amount limited by the
// budget.
#pragma once

#include "enfold/base/result.h"
#include "enfold/budget/budget.h"
#include "enfold/json/document.h"
#include "enfold/model/record_range.h"
#include "enfold/model/response.h"
#include "enfold/token/tokenizer.h"

#include <functional>

namespace enfold::budget {

/// One line of an explanation: how a part of the payload is shown.
struct Part {
  std::string pointer;  ///< a JSON Pointer, or a range of items "/items/18..499"
  /// In the payload: "whole", "brief" or "clipped"; in the index: "row" for an item, "lines" of a
  /// text; in the facts: "facts"; or "dropped".
  std::string_view what;
  std::size_t count = 1;   ///< items, members or lines; 1 for a fact
  std::size_t tokens = 0;  ///< estimated cost of this part in the answer; 0 if dropped
  friend bool operator==(const Part&, const Part&) = default;
};

/// Parts are named by JSON Pointers into the original payload, or ranges of items "/items/18..499"
/// (both ends included); "" is the whole payload. The lists `dropped`, `briefed` and `clipped` have
/// a limited length and cover everything that was cut, so a range may include items that are shown.
struct FitResult {
  json::Value payload;  ///< the data to show
  model::Fidelity fidelity = model::Fidelity::full;
  /// Not in the payload; up to five items are named by id. Also what is shown in part, if some of
  /// what it lacks has no mark because the schema forbids marks.
  std::vector<std::string> dropped;
  /// Exact. An item or member counts once, with all it holds; a clipped text counts its lines of
  /// which nothing is shown.
  std::size_t dropped_count = 0;
  std::size_t lines_left = 0;         ///< of `dropped_count`: lines of clipped texts
  std::size_t text_lines = 0;         ///< all lines of these texts, shown or not
  std::vector<std::string> briefed;   ///< items shown without some of their members or text
  std::vector<std::string> clipped;   ///< strings shown as a prefix and a marker
  std::vector<std::string> columnar;  ///< lists shown as {"cols":[…],"rows":[[…]]}
  std::optional<json::Value> facts;   ///< by pointer: counts, value counts, ranges; nullopt: none
  std::optional<json::Value> index;   ///< by pointer: rows for parts not in the payload
  std::optional<std::string> schema_note;  ///< why a cut payload breaks its schema, if it does
  std::vector<Part> parts;                 ///< if Policy::explain; else empty
  std::vector<model::RecordRange> left;    ///< items of Policy::list that are not shown
  Size size;                               ///< measured size of the complete answer
};

/// Renders the complete answer, envelope and payload, and returns its size. `fit` calls it for each
/// candidate, which has neither `size` nor `parts` yet.
using Measure = std::function<Size(const FitResult&)>;

/// Cuts the payload, unless it fits. `budget` must have passed `check`. Fails with
/// `budget_too_small` if not even a reference fits. `schema` may be null. With a schema, a
/// `partial` payload meets it, or `schema_note` says why not; a `full` payload is returned without
/// a check. The number of calls of `measure` is limited.
[[nodiscard]] Result<FitResult> fit(json::View payload, const Budget& budget, const Policy& policy,
                                    const OutputSchema* schema, const token::Tokenizer& tokenizer,
                                    const Measure& measure);

}  // namespace enfold::budget

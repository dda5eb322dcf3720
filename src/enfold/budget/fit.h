// SPDX-License-Identifier: Apache-2.0
// Brings a payload under a budget: exactly, truthfully, deterministically, and inside its schema.
// Breadth first: facts about the whole, first, last, rare and failing items, one row per item,
// then briefs, then whole items. Pure; linear in the payload, then bounded by the budget.
#pragma once

#include "enfold/base/result.h"
#include "enfold/budget/budget.h"
#include "enfold/budget/output_schema.h"
#include "enfold/budget/policy.h"
#include "enfold/json/document.h"
#include "enfold/model/names.h"
#include "enfold/token/tokenizer.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::budget {

/// One line of an explanation: what became of a place in the payload.
struct Part {
  std::string pointer;     ///< a pointer, or a range of items "/items/18..499"
  std::string_view what;   ///< "whole", "brief", "clipped", "row", "dropped", "facts", "lines"
  std::size_t count = 1;   ///< items or members
  std::size_t tokens = 0;  ///< that the place takes in the answer; 0 for what is not there
  friend bool operator==(const Part&, const Part&) = default;
};

/// Places are JSON Pointers into the payload that was given, or ranges of a list's items,
/// "/items/18..499" (both ends included). The three lists are bounded however much was left out:
/// they *cover* it, so a range may hold shown items too, and "" is the whole payload.
struct Fitted {
  json::Value payload;  ///< what is shown as data
  model::Fidelity level = model::Fidelity::full;
  std::vector<std::string> dropped;   ///< what is not in the payload at all; a few items by id
  std::size_t dropped_count = 0;      ///< items and members, exactly
  std::vector<std::string> briefed;   ///< items shown without some of their members or text
  std::vector<std::string> clipped;   ///< strings shown as a prefix and "…[+N bytes]"
  std::vector<std::string> columnar;  ///< lists shown as {"cols":[…],"rows":[[…]]}
  std::optional<json::Value> facts;   ///< by place: counts, value counts, ranges of the whole
  std::optional<json::Value> index;   ///< by place: a row for items and lines not shown as data
  std::optional<std::string> schema_note;  ///< why the payload does not meet its schema, when so
  std::vector<Part> parts;                 ///< when the policy asks for an explanation
  Size size;                               ///< of the answer with all this, as it was measured
};

/// Renders the complete answer, everything that goes out included, and counts it.
using Measure = std::function<Size(const Fitted&)>;

/// What `check` says of the budget; `budget_too_small` when not even references fit by `measure`.
/// With a schema the payload of `full` and `partial` meets it; otherwise `schema_note` says why
/// not. `measure` is called a bounded number of times, only once with more than about the budget.
[[nodiscard]] Result<Fitted> fit(json::View payload, const Budget& budget, const Policy& policy,
                                 const OutputSchema* schema, const token::Tokenizer& tokenizer,
                                 const Measure& measure);

}  // namespace enfold::budget

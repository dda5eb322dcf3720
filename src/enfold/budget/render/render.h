// SPDX-License-Identifier: Apache-2.0
// Renders a plan: the payload, the index, the facts, and the report of what was cut.
#pragma once

#include "enfold/budget/fit.h"
#include "enfold/budget/plan/plan.h"

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
[[nodiscard]] Fitted render(const Plan& plan, Form form, const Fitted* report = nullptr);

/// Only the lists of dropped, briefed and clipped parts.
[[nodiscard]] Fitted report_of(const Plan& plan, Form form);
/// Estimated tokens of these lists.
[[nodiscard]] std::int64_t report_tokens(const Fitted& fitted, const Counter& counter);

[[nodiscard]] std::vector<Part> explain(const Plan& plan, Form form);

}  // namespace enfold::budget::detail

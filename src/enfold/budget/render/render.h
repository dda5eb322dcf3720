// SPDX-License-Identifier: Apache-2.0
// Makes of a plan what goes out: the payload with what is shown, the index, the facts, the report.
#pragma once

#include "enfold/budget/fit.h"
#include "enfold/budget/plan/plan.h"

namespace enfold::budget::detail {

/// How the payload of an answer is made.
enum class Form {
  data,       ///< the payload itself, cut
  sample,     ///< {"summary":{…},"sample":…}: for payloads that cannot be cut inside their schema
  summary,    ///< {"summary":{…}}
  reference,  ///< {}: nothing but the report
  bare,       ///< {}, and not even ranges
};

/// Without `parts`; those are made once, for the answer that leaves. `report`: what `report_of`
/// gives for the same plan, when that is known already.
[[nodiscard]] Fitted render(const Plan& plan, Form form, const Fitted* report = nullptr);

/// Only the lists of what is left out and shortened.
[[nodiscard]] Fitted report_of(const Plan& plan, Form form);
/// About what these lists cost.
[[nodiscard]] std::int64_t report_tokens(const Fitted& fitted, const Counter& counter);

[[nodiscard]] std::vector<Part> explain(const Plan& plan, Form form);

}  // namespace enfold::budget::detail

// SPDX-License-Identifier: Apache-2.0
// What a cut answer says to its reader in words: how much is missing, and the call that opens it.
#pragma once

#include "enfold/answer/fit/cut_report.h"

namespace enfold::answer {

/// "612 of 640 orders not shown"; if no record is left out, "3 parts left out" (`dropped`).
[[nodiscard]] std::string what_is_missing(const Cut& cut, const budget::FitResult& fitted,
                                          std::size_t dropped);

/// enfold_fetch {"handle":"513226998735","sql":"select …"}: the tool, the handle and an example
/// that works as it stands. Empty if the original is not archived, if the budget is small, and for
/// pages of an archived answer, whose reader knows the handle.
[[nodiscard]] std::string way_back(const Cut& cut, const budget::FitResult& fitted);

}  // namespace enfold::answer

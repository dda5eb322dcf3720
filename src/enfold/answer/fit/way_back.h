// SPDX-License-Identifier: Apache-2.0
// What a cut answer says to its reader in words: how much is missing, and the call that opens it.
#pragma once

#include "enfold/answer/fit/cut_report.h"

namespace enfold::answer {

/// A list in the answer of which some items are left out.
struct ShortenedList {
  std::string name;  ///< of the member that holds it; empty: it is the payload
  std::size_t total = 0;
  std::size_t missing = 0;
};
/// The list that was shortened; nullopt: other parts were left out too, or that is not certain.
[[nodiscard]] std::optional<ShortenedList> shortened_list(const Cut& cut,
                                                          const budget::FitResult& fitted);

/// "612 of 640 orders not shown"; if no record is left out, "3 parts left out". `dropped`: number
/// of all parts that are left out, warnings included.
[[nodiscard]] std::string what_is_missing(const Cut& cut, const budget::FitResult& fitted,
                                          std::size_t dropped);

/// The call that opens the rest: enfold_fetch {"handle":"513226998735","sql":"select …"}. The SQL
/// is an example that works as it stands. If only warnings are left out, the call has their place
/// instead. Empty if the original is not kept, if the budget is small, and for pages of an archived
/// answer, whose reader knows the handle.
[[nodiscard]] std::string way_back(const Cut& cut, const budget::FitResult& fitted);

}  // namespace enfold::answer

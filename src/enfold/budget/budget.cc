// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/budget.h"

#include <fmt/core.h>

namespace enfold::budget {

Status check(const Budget& budget) {
  const auto at_least = [](std::size_t least, std::string_view what, std::size_t found) {
    return fail(ErrorCode::budget_too_small,
                fmt::format("expected a budget of at least {} {}, found {}", least, what, found),
                "budget",
                fmt::format("raise the budget to {} {} or more: an envelope that says what is "
                            "missing needs that much",
                            least, what));
  };
  if (budget.tokens < kSmallestBudget) return at_least(kSmallestBudget, "tokens", budget.tokens);
  if (budget.characters < kFewestCharacters) {
    return at_least(kFewestCharacters, "characters", budget.characters);
  }
  if (budget.lines && *budget.lines == 0) return at_least(1, "line", 0);
  return {};
}

}  // namespace enfold::budget

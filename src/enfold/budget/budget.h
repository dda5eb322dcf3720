// SPDX-License-Identifier: Apache-2.0
// The size limits of an answer: tokens, characters, lines. All apply.
#pragma once

#include "enfold/base/result.h"

#include <cstddef>
#include <optional>

namespace enfold::budget {

/// The smallest budget: an envelope with its report and archive handle needs that much.
inline constexpr std::size_t kSmallestBudget = 128;  // tokens
inline constexpr std::size_t kFewestCharacters = 512;

struct Budget {
  std::size_t tokens = 10'000;
  std::size_t characters = 32'000;
  std::optional<std::size_t> lines;
  friend bool operator==(const Budget&, const Budget&) = default;
};

/// `budget_too_small` if the budget is below the minimum.
[[nodiscard]] Status check(const Budget& budget);

/// The size of a finished answer.
struct Size {
  std::size_t tokens = 0;
  std::size_t characters = 0;
  std::size_t lines = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

[[nodiscard]] inline bool within(const Size& size, const Budget& budget) {
  return size.tokens <= budget.tokens && size.characters <= budget.characters &&
         (!budget.lines || size.lines <= *budget.lines);
}

}  // namespace enfold::budget

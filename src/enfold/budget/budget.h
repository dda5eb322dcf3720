// SPDX-License-Identifier: Apache-2.0
// What an answer may cost, in the three measures that clients cut by. All of them bind at once.
#pragma once

#include "enfold/base/result.h"

#include <cstddef>
#include <optional>

namespace enfold::budget {

/// Below this an envelope with its drop report and handle has no room: refused as bad usage.
inline constexpr std::size_t kSmallestBudget = 128;    // tokens
inline constexpr std::size_t kFewestCharacters = 512;  // of the same

struct Budget {
  std::size_t tokens = 10'000;
  std::size_t characters = 32'000;
  std::optional<std::size_t> lines;
  friend bool operator==(const Budget&, const Budget&) = default;
};

/// `budget_too_small` for what no answer fits: the one place that says so.
[[nodiscard]] Status check(const Budget& budget);

/// What a finished answer costs.
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

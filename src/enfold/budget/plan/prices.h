// SPDX-License-Identifier: Apache-2.0
// The estimated cost of each part of an answer. A sum of prices is close to the cost of the whole,
// because a part is priced together with the punctuation that precedes it.
#pragma once

#include "enfold/budget/plan/counter.h"
#include "enfold/budget/survey/outline.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::budget::detail {

/// The price of a part that certainly does not fit.
inline constexpr Cost kTooMuch{std::int64_t{1} << 40, std::int64_t{1} << 40};

class Prices {
 public:
  /// Borrows `outline` and `counter`. `largest`: more bytes than the budget can hold.
  Prices(Outline& outline, const Counter& counter, std::size_t largest)
      : outline_(outline), counter_(counter), largest_(largest) {}

  /// A unit shown as the given JSON text.
  [[nodiscard]] Cost of(const Unit& unit, std::string_view shown_as) const;
  /// A unit shown whole. Counts only what its brief leaves out, if the brief is priced already.
  [[nodiscard]] Cost of_whole(const Unit& unit) const;
  /// A value (and its key) after a value like it, with the comma between them.
  [[nodiscard]] Cost beside_others(std::string_view key, std::string_view value) const;
  /// The index of a group without its rows.
  const Cost& of_index(Group& group);
  /// The containers around a child of the group that are not shown yet.
  Cost of_frames(std::uint32_t group);
  /// The index row of a unit as JSON text; `cell`: bytes of a label.
  [[nodiscard]] std::string row_of(const Unit& unit, std::size_t cell) const;
  /// Tokens of a unit as it is shown now.
  [[nodiscard]] std::int64_t tokens(const Unit& unit) const;

 private:
  Outline& outline_;
  const Counter& counter_;
  std::size_t largest_;
  mutable std::string priced_;  ///< buffer for the text being priced
  mutable std::string last_tail_;
  mutable Cost last_tail_cost_;
  mutable Cost marker_cost_;
};

}  // namespace enfold::budget::detail

// SPDX-License-Identifier: Apache-2.0
// The exact value of a JSON number's text, without converting it: 1, 1.0 and 10e-1 are equal,
// 1e400 is greater than 1e399, 0.0075 is a multiple of 0.0001. Work is linear in the text; only
// exponents beyond ±10^17 are not told apart from each other.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::json {

/// Borrows the text, which must be a number of the JSON grammar and outlive this.
class Number {
 public:
  explicit Number(std::string_view text);

  [[nodiscard]] bool is_zero() const { return digits() == 0; }
  [[nodiscard]] bool is_negative() const { return negative_; }
  /// By value, as JSON Schema has it: 1.0 and 2e3 are integers.
  [[nodiscard]] bool is_integer() const {
    return static_cast<std::int64_t>(digits()) <= magnitude_ || is_zero();
  }
  /// The value as a count, when it is an integer of at least 0; 2^64-1 stands for all above it.
  [[nodiscard]] std::optional<std::uint64_t> count() const;
  /// Whether the quotient is an integer. The divisor must be greater than 0.
  [[nodiscard]] bool is_multiple_of(const Number& divisor) const;
  /// Equal numbers have equal hashes, however they are written.
  [[nodiscard]] std::uint64_t hash() const;
  /// Significant digits: what comparing and dividing cost.
  [[nodiscard]] std::size_t digits() const { return head_.size() + tail_.size(); }

  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }

 private:
  [[nodiscard]] unsigned digit(std::size_t index) const {
    const char c = index < head_.size() ? head_[index] : tail_[index - head_.size()];
    return static_cast<unsigned>(c - '0');
  }
  /// Value of `length` digits from `index` on; at most 9 of them.
  [[nodiscard]] std::uint32_t chunk(std::size_t index, std::size_t length) const;
  /// This value is its digits, read as an integer, times ten to the power of this.
  [[nodiscard]] std::int64_t scale() const {
    return magnitude_ - static_cast<std::int64_t>(digits());
  }

  // The significant digits stand in the text as one run, or two when the point lies among them.
  // Neither the first nor the last of them is 0. The value is 0.DIGITS times ten to `magnitude_`.
  std::string_view head_;
  std::string_view tail_;
  std::int64_t magnitude_ = 0;
  bool negative_ = false;
};

}  // namespace enfold::json

// SPDX-License-Identifier: Apache-2.0
// The exact value of a JSON number, computed on its text: 1, 1.0 and 10e-1 are equal, 1e400 is
// greater than 1e399, 0.0075 is a multiple of 0.0001. Comparing takes linear time, is_multiple_of
// quadratic time. Exponents beyond ±10^17 are clamped.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::json {

/// Whether the text is a number of the JSON grammar, which has no leading zeros.
[[nodiscard]] bool is_number_text(std::string_view text);

/// Borrows the text, which must be a number of the JSON grammar and outlive the Number.
class Number {
 public:
  explicit Number(std::string_view text);

  [[nodiscard]] bool is_zero() const { return digits() == 0; }
  [[nodiscard]] bool is_negative() const { return negative_; }
  /// By value, as in JSON Schema: 1.0 and 2e3 are integers.
  [[nodiscard]] bool is_integer() const {
    return static_cast<std::int64_t>(digits()) <= exponent_ || is_zero();
  }
  /// The value if it is an integer of at least 0, else nullopt; saturates at 2^64-1.
  [[nodiscard]] std::optional<std::uint64_t> to_unsigned() const;
  /// Whether the quotient is an integer. The divisor must be greater than 0.
  [[nodiscard]] bool is_multiple_of(const Number& divisor) const;
  /// Equal numbers have equal hashes, however they are written.
  [[nodiscard]] std::uint64_t hash() const;
  /// Number of significant digits, 0 for zero. The cost of comparing and dividing grows with it.
  [[nodiscard]] std::size_t digits() const { return head_.size() + tail_.size(); }

  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }

 private:
  [[nodiscard]] unsigned digit(std::size_t index) const {
    const char c = index < head_.size() ? head_[index] : tail_[index - head_.size()];
    return static_cast<unsigned>(c - '0');
  }
  /// The `length` digits (at most 9) from `index` on, read as an integer.
  [[nodiscard]] std::uint32_t chunk(std::size_t index, std::size_t length) const;
  /// The exponent e such that the value is its digits, read as an integer, times 10^e.
  [[nodiscard]] std::int64_t scale() const {
    return exponent_ - static_cast<std::int64_t>(digits());
  }

  // The significant digits are those of head_ followed by those of tail_: in the text the decimal
  // point is between them; tail_ is empty if no digits follow the point. Neither the first nor the
  // last digit is 0. The value is 0.DIGITS times 10^exponent_.
  std::string_view head_;
  std::string_view tail_;
  std::int64_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace enfold::json

// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/number.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace enfold::json {
namespace {

/// A non-negative integer of any size: limbs (digits of 32 bits), least significant first. The last
/// limb is not 0; zero has no limbs.
class Magnitude {
 public:
  Magnitude() = default;
  explicit Magnitude(std::uint32_t value) {
    if (value != 0) limbs_.push_back(value);
  }
  [[nodiscard]] bool is_zero() const { return limbs_.empty(); }
  /// Replaces the value by value * factor + addend.
  void multiply_add(std::uint32_t factor, std::uint32_t addend);

 private:
  friend class Modulus;
  void trim();  ///< removes limbs that are 0 at the end
  std::vector<std::uint32_t> limbs_;
};

/// Arithmetic modulo an integer of any size, for exact `multipleOf`.
class Modulus {
 public:
  explicit Modulus(const Magnitude& value);  ///< not zero

  /// Replaces `rest`, which is below the modulus, by (rest * factor + addend) mod modulus.
  void multiply_add(Magnitude& rest, std::uint32_t factor, std::uint32_t addend) const;
  /// a * b mod modulus.
  [[nodiscard]] Magnitude multiply(const Magnitude& a, const Magnitude& b) const;
  /// 10^exponent mod modulus.
  [[nodiscard]] Magnitude power_of_ten(std::uint64_t exponent) const;

 private:
  [[nodiscard]] bool exceeds(const Magnitude& rest) const;  ///< modulus > rest
  /// Replaces `rest`, which is below the modulus times 2^32, by rest mod modulus.
  void reduce(Magnitude& rest) const;
  /// Subtracts times * modulus, which is at most `rest`.
  void subtract(Magnitude& rest, std::uint64_t times) const;
  /// Replaces `rest`, which is below the modulus, by (rest * 2^32 + limb) mod modulus.
  void push_limb(Magnitude& rest, std::uint32_t limb) const;

  std::vector<std::uint32_t> limbs_;
  std::uint64_t single_ = 0;  ///< the modulus if it has one limb; 0: it has more
};

__extension__ using Wide = unsigned __int128;

std::uint32_t low_limb(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

void Magnitude::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

void Magnitude::multiply_add(std::uint32_t factor, std::uint32_t addend) {
  std::uint64_t carry = addend;
  for (std::uint32_t& limb : limbs_) {
    carry += std::uint64_t{limb} * factor;
    limb = low_limb(carry);
    carry >>= 32;
  }
  if (carry != 0) limbs_.push_back(low_limb(carry));
  trim();
}

Modulus::Modulus(const Magnitude& value) : limbs_(value.limbs_) {
  if (limbs_.size() == 1) single_ = limbs_[0];
}

void Modulus::multiply_add(Magnitude& rest, std::uint32_t factor, std::uint32_t addend) const {
  rest.multiply_add(factor, addend);
  reduce(rest);
}

void Modulus::push_limb(Magnitude& rest, std::uint32_t limb) const {
  rest.limbs_.insert(rest.limbs_.begin(), limb);
  rest.trim();
  reduce(rest);
}

bool Modulus::exceeds(const Magnitude& rest) const {
  if (rest.limbs_.size() != limbs_.size()) return rest.limbs_.size() < limbs_.size();
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    if (rest.limbs_[i] != limbs_[i]) return rest.limbs_[i] < limbs_[i];
  }
  return false;
}

// One step of long division; the quotient fits one limb. Estimates the quotient from the leading
// limbs, never too large, subtracts that multiple, and repeats until the rest is small enough.
void Modulus::reduce(Magnitude& rest) const {
  if (single_ != 0) {
    std::uint64_t value = 0;
    for (std::size_t i = rest.limbs_.size(); i-- > 0;) {
      value = ((value << 32) | rest.limbs_[i]) % single_;
    }
    rest = Magnitude(low_limb(value));
    return;
  }
  const std::size_t size = limbs_.size();
  const Wide top = (Wide{limbs_[size - 1]} << 32) | limbs_[size - 2];
  while (!exceeds(rest)) {
    Wide head = 0;
    for (std::size_t i = rest.limbs_.size(); i-- > size - 2;) head = (head << 32) | rest.limbs_[i];
    const auto guess = static_cast<std::uint64_t>(head / (top + 1));
    subtract(rest, guess == 0 ? 1 : guess);
  }
}

void Modulus::subtract(Magnitude& rest, std::uint64_t times) const {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < rest.limbs_.size(); ++i) {
    carry += i < limbs_.size() ? times * limbs_[i] : 0;
    const std::uint32_t take = low_limb(carry);
    carry >>= 32;
    if (rest.limbs_[i] < take) ++carry;
    rest.limbs_[i] -= take;
  }
  rest.trim();
}

Magnitude Modulus::multiply(const Magnitude& a, const Magnitude& b) const {
  std::vector<std::uint32_t> product(a.limbs_.size() + b.limbs_.size());
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < b.limbs_.size(); ++k) {
      carry += std::uint64_t{a.limbs_[i]} * b.limbs_[k] + product[i + k];
      product[i + k] = low_limb(carry);
      carry >>= 32;
    }
    product[i + b.limbs_.size()] = low_limb(carry);
  }
  Magnitude rest;
  for (std::size_t i = product.size(); i-- > 0;) push_limb(rest, product[i]);
  return rest;
}

Magnitude Modulus::power_of_ten(std::uint64_t exponent) const {
  Magnitude result(1);
  reduce(result);
  Magnitude square(10);
  reduce(square);
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, square);
    if (exponent > 1) square = multiply(square, square);
  }
  return result;
}

constexpr std::int64_t kLargestExponent = 100'000'000'000'000'000;  // larger ones are clamped
constexpr std::size_t kChunk = 9;  // decimal digits that fit into 32 bits

std::int64_t read_exponent(std::string_view text) {
  const bool negative = text.front() == '-';
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  for (const char c : text) value = std::min(value * 10 + (c - '0'), kLargestExponent);
  return negative ? -value : value;
}

// How many zeros the text begins with.
std::size_t leading_zeros(std::string_view text) {
  return std::min(text.find_first_not_of('0'), text.size());
}

void drop_trailing_zeros(std::string_view& text) {
  text = text.substr(0, text.find_last_not_of('0') + 1);
}

}  // namespace

Number::Number(std::string_view text) {
  negative_ = !text.empty() && text.front() == '-';
  if (negative_) text.remove_prefix(1);
  std::int64_t exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    exponent = read_exponent(text.substr(e + 1));
    text = text.substr(0, e);
  }
  const std::size_t point = text.find('.');
  head_ = text.substr(0, point);
  if (point != std::string_view::npos) tail_ = text.substr(point + 1);

  head_.remove_prefix(leading_zeros(head_));
  exponent_ = exponent + static_cast<std::int64_t>(head_.size());
  if (head_.empty()) {
    const std::size_t zeros = leading_zeros(tail_);
    tail_.remove_prefix(zeros);
    exponent_ -= static_cast<std::int64_t>(zeros);
  }
  drop_trailing_zeros(tail_);
  if (tail_.empty()) drop_trailing_zeros(head_);
  if (is_zero()) {
    negative_ = false;
    exponent_ = 0;
  }
}

std::optional<std::uint64_t> Number::to_unsigned() const {
  if (negative_ || !is_integer()) return std::nullopt;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (exponent_ > 20) return most;
  std::uint64_t value = 0;
  for (std::int64_t i = 0; i < exponent_; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const std::uint64_t next = index < digits() ? digit(index) : 0;
    if (value > (most - next) / 10) return most;
    value = value * 10 + next;
  }
  return value;
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (a.negative_ != b.negative_) return b.negative_ <=> a.negative_;
  if (a.is_zero() || b.is_zero()) return !a.is_zero() <=> !b.is_zero();
  std::strong_ordering order = a.exponent_ <=> b.exponent_;
  const std::size_t common = std::min(a.digits(), b.digits());
  for (std::size_t i = 0; order == 0 && i < common; ++i) order = a.digit(i) <=> b.digit(i);
  if (order == 0) order = a.digits() <=> b.digits();
  return a.negative_ ? 0 <=> order : order;
}

std::uint64_t Number::hash() const {
  std::uint64_t hash = negative_ ? 0x9e3779b97f4a7c15U : 0xbf58476d1ce4e5b9U;
  const auto mix = [&hash](std::uint64_t part) {
    hash = (hash ^ part) * 0xff51afd7ed558ccdU;
    hash ^= hash >> 32;
  };
  mix(static_cast<std::uint64_t>(exponent_));
  for (std::size_t i = 0; i < digits(); i += kChunk) {
    mix(chunk(i, std::min(kChunk, digits() - i)));
  }
  return hash;
}

std::uint32_t Number::chunk(std::size_t index, std::size_t length) const {
  std::uint32_t value = 0;
  for (std::size_t i = index; i < index + length; ++i) value = value * 10 + digit(i);
  return value;
}

bool Number::is_multiple_of(const Number& divisor) const {
  if (is_zero()) return true;
  const std::int64_t shift = scale() - divisor.scale();
  // The quotient is digits * 10^shift / divisor's digits. Digits do not end in 0, so as an integer
  // they are not divisible by ten, and with a negative shift the quotient is no integer.
  if (shift < 0) return false;
  constexpr std::uint32_t powers[] = {1,       10,        100,        1'000,       10'000,
                                      100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
  Magnitude divisor_digits;  // as an integer
  for (std::size_t i = 0; i < divisor.digits(); i += kChunk) {
    const std::size_t length = std::min(kChunk, divisor.digits() - i);
    divisor_digits.multiply_add(powers[length], divisor.chunk(i, length));
  }
  const Modulus modulus(divisor_digits);
  Magnitude rest;  // of the digits, divided by the divisor's digits
  for (std::size_t i = 0; i < digits(); i += kChunk) {
    const std::size_t length = std::min(kChunk, digits() - i);
    modulus.multiply_add(rest, powers[length], chunk(i, length));
  }
  if (rest.is_zero()) return true;
  return modulus.multiply(rest, modulus.power_of_ten(static_cast<std::uint64_t>(shift))).is_zero();
}

bool is_number_text(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - begin;
  };
  if (text.starts_with('-')) ++at;
  const std::size_t whole = at;
  const std::size_t count = digits();
  if (count == 0 || (count > 1 && text[whole] == '0')) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

}  // namespace enfold::json

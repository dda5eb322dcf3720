// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/number.h"

#include "enfold/json/detail/modulus.h"

#include <algorithm>
#include <limits>

namespace enfold::json {
namespace {

constexpr std::int64_t kLargestExponent = 100'000'000'000'000'000;
constexpr std::size_t kChunk = 9;

std::int64_t read_exponent(std::string_view text) {
  const bool negative = text.front() == '-';
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  for (const char c : text) value = std::min(value * 10 + (c - '0'), kLargestExponent);
  return negative ? -value : value;
}

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
  magnitude_ = exponent + static_cast<std::int64_t>(head_.size());
  if (head_.empty()) {
    const std::size_t zeros = leading_zeros(tail_);
    tail_.remove_prefix(zeros);
    magnitude_ -= static_cast<std::int64_t>(zeros);
  }
  drop_trailing_zeros(tail_);
  if (tail_.empty()) drop_trailing_zeros(head_);
  if (is_zero()) {
    negative_ = false;
    magnitude_ = 0;
  }
}

std::optional<std::uint64_t> Number::count() const {
  if (negative_ || !is_integer()) return std::nullopt;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (magnitude_ > 20) return most;
  std::uint64_t value = 0;
  for (std::int64_t i = 0; i < magnitude_; ++i) {
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
  std::strong_ordering order = a.magnitude_ <=> b.magnitude_;
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
  mix(static_cast<std::uint64_t>(magnitude_));
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
  // The digits do not end in 0, so as an integer they are not divisible by ten.
  if (shift < 0) return false;
  constexpr std::uint32_t powers[] = {1,       10,        100,        1'000,       10'000,
                                      100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
  detail::Magnitude whole;
  for (std::size_t i = 0; i < divisor.digits(); i += kChunk) {
    const std::size_t length = std::min(kChunk, divisor.digits() - i);
    whole.multiply_add(powers[length], divisor.chunk(i, length));
  }
  const detail::Modulus modulus(whole);
  detail::Magnitude rest;
  for (std::size_t i = 0; i < digits(); i += kChunk) {
    const std::size_t length = std::min(kChunk, digits() - i);
    modulus.multiply_add(rest, powers[length], chunk(i, length));
  }
  if (rest.is_zero()) return true;
  return modulus.multiply(rest, modulus.power_of_ten(static_cast<std::uint64_t>(shift))).is_zero();
}

}  // namespace enfold::json

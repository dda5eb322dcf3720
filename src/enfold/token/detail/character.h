// SPDX-License-Identifier: Apache-2.0
// The character classes of the split rules, and decoding of UTF-8.
#pragma once

#include "enfold/token/detail/tables.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace enfold::token::detail {

/// The numbers are those of unicode16.bin.
enum class Class : std::uint8_t {
  other = 0,
  upper = 1,   ///< Lu, Lt
  lower = 2,   ///< Ll
  letter = 3,  ///< Lm, Lo
  mark = 4,
  number = 5,
  space = 6,    ///< White_Space except the next
  newline = 7,  ///< CR, LF
  unknown = 8,  ///< of a byte: start of a multi-byte sequence
};

[[nodiscard]] constexpr bool is_letter(Class c) {
  return c == Class::upper || c == Class::lower || c == Class::letter;
}
[[nodiscard]] constexpr bool is_white(Class c) { return c == Class::space || c == Class::newline; }

constexpr std::array<Class, 256> classes_of_bytes() {
  std::array<Class, 256> classes{};
  for (std::size_t byte = 0x80; byte < 0x100; ++byte) classes[byte] = Class::unknown;
  for (std::size_t byte = 'A'; byte <= 'Z'; ++byte) classes[byte] = Class::upper;
  for (std::size_t byte = 'a'; byte <= 'z'; ++byte) classes[byte] = Class::lower;
  for (std::size_t byte = '0'; byte <= '9'; ++byte) classes[byte] = Class::number;
  classes[' '] = classes['\t'] = classes['\v'] = classes['\f'] = Class::space;
  classes['\n'] = classes['\r'] = Class::newline;
  return classes;
}
inline constexpr std::array<Class, 256> kClassOfByte = classes_of_bytes();

[[nodiscard]] inline Class class_of(std::uint32_t code_point) {
  constexpr std::size_t block_numbers = 0x110000 >> 7;
  std::uint16_t block = 0;
  std::memcpy(&block, enfold_token_unicode16 + std::size_t{2} * (code_point >> 7), 2);
  const std::size_t at = std::size_t{block} * 128 + (code_point & 127);
  return static_cast<Class>(enfold_token_unicode16[2 * block_numbers + at]);
}

struct Character {
  Class cls = Class::other;
  std::uint32_t length = 1;
};

/// A text as bytes. A byte that is not part of well-formed UTF-8 is a character of class `other`:
/// invalid bytes are counted, not refused.
struct Text {
  const std::uint8_t* bytes;
  std::size_t size;

  explicit Text(std::string_view text)
      : bytes(reinterpret_cast<const std::uint8_t*>(text.data())), size(text.size()) {}

  [[nodiscard]] Class class_of_byte(std::size_t at) const { return kClassOfByte[bytes[at]]; }

  [[nodiscard]] Character at(std::size_t at) const {
    const std::uint8_t first = bytes[at];
    if (first < 0x80) return {kClassOfByte[first], 1};
    return wide(bytes + at, size - at);
  }

  /// Whether `at` lies inside a well-formed sequence.
  [[nodiscard]] bool is_inside_character(std::size_t at) const {
    if (at >= size || (bytes[at] & 0xC0) != 0x80) return false;
    for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
      if (this->at(at - back).length > back) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] static Character wide(const std::uint8_t* s, std::size_t left) {
    const auto continues = [&](std::size_t i) { return i < left && (s[i] & 0xC0) == 0x80; };
    const auto bits = [&](std::size_t i) { return std::uint32_t{s[i]} & 63U; };
    if (s[0] < 0xC2 || !continues(1)) return {};
    if (s[0] < 0xE0) return {class_of((s[0] & 31U) << 6 | bits(1)), 2};
    if (!continues(2)) return {};
    if (s[0] < 0xF0) {
      const std::uint32_t point = (s[0] & 15U) << 12 | bits(1) << 6 | bits(2);
      if (point < 0x800 || (point >= 0xD800 && point <= 0xDFFF)) return {};
      return {class_of(point), 3};
    }
    if (s[0] > 0xF4 || !continues(3)) return {};
    const std::uint32_t point = (s[0] & 7U) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3);
    if (point < 0x10000 || point > 0x10FFFF) return {};
    return {class_of(point), 4};
  }
};

}  // namespace enfold::token::detail

// SPDX-License-Identifier: Apache-2.0
// Splits a text into pieces. Both encodings split by a regular expression and merge bytes only
// inside a piece. This is the reference implementation of these expressions; the functions at the
// end of this file handle common cases without decoding.
//
// No rule depends on the text before a piece, so a text that is cut at a piece boundary keeps its
// pieces.
#pragma once

#include "enfold/token/detail/vocabulary.h"

#include <array>
#include <bit>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::token::detail {

/// The character classes of the split rules. The numbers are those of unicode16.bin.
enum class Class : std::uint8_t {
  other = 0,
  upper = 1,   ///< Lu, Lt
  lower = 2,   ///< Ll
  letter = 3,  ///< Lm, Lo
  mark = 4,
  number = 5,
  space = 6,    ///< White_Space except CR and LF
  newline = 7,  ///< CR, LF
  unknown = 8,  ///< only in kClassOfByte: a byte that is not ASCII, whose character is not decoded
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

/// Looks the class up in unicode16.bin: a block number (two bytes) for each 128 code points, then
/// the classes of the blocks.
[[nodiscard]] inline Class class_of(std::uint32_t code_point) {
  constexpr std::size_t block_numbers = 0x110000 >> 7;
  std::uint16_t block = 0;
  std::memcpy(&block, enfold_token_unicode16 + std::size_t{2} * (code_point >> 7), 2);
  const std::size_t at = std::size_t{block} * 128 + (code_point & 127);
  return static_cast<Class>(enfold_token_unicode16[2 * block_numbers + at]);
}

struct Character {
  Class cls = Class::other;
  std::uint32_t length = 1;  ///< bytes
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
    return multi_byte(bytes + at, size - at);
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
  /// The character at `s`, whose first byte is not ASCII. `left`: bytes from there to the end.
  [[nodiscard]] static Character multi_byte(const std::uint8_t* s, std::size_t left) {
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

/// The encoding whose expression splits a text.
enum class Rules { o200k, cl100k };

// Each function below returns the end of a piece, or of a part of one, that begins at `at`, as an
// offset in bytes. `first`: the character at `at`.

/// (?i:'s|'t|'re|'ve|'m|'ll|'d), or `at` if none begins here. U+017F is a case of s.
[[nodiscard]] inline std::size_t contraction_end(Text text, std::size_t at) {
  const std::size_t left = text.size - at;
  const std::uint8_t* s = text.bytes + at;
  if (left < 2 || s[0] != '\'') return at;
  if (s[1] == 0xC5) return left > 2 && s[2] == 0xBF ? at + 3 : at;
  if (s[1] >= 0x80) return at;
  const int first = s[1] | 0x20;
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
  if (left < 3 || s[2] >= 0x80) return at;
  const int second = s[2] | 0x20;
  const bool pair = (first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
                    (first == 'l' && second == 'l');
  return pair ? at + 3 : at;
}

/// A word with at most one character before it, or `at` when none begins here.
///   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(contraction)?
///   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(contraction)?
[[nodiscard]] inline std::size_t o200k_word_end(Text text, std::size_t at, Character first) {
  if (first.cls == Class::number || first.cls == Class::newline) return at;
  const std::size_t begin = is_letter(first.cls) ? at : at + first.length;
  std::size_t end = begin;
  // The end of the last mark or letter without case, which both brackets of the expression match;
  // 0: there is none yet.
  std::size_t caseless_end = 0;
  while (end < text.size) {
    Character c = text.at(end);
    if (c.cls == Class::lower) {
      do {
        end += c.length;
        if (end >= text.size) break;
        c = text.at(end);
      } while (c.cls == Class::lower || c.cls == Class::letter || c.cls == Class::mark);
      return contraction_end(text, end);
    }
    if (c.cls != Class::upper && c.cls != Class::letter && c.cls != Class::mark) break;
    end += c.length;
    if (c.cls != Class::upper) caseless_end = end;
  }
  // No lower-case letter: the first expression backtracks to the last caseless letter or mark.
  if (caseless_end > 0) return contraction_end(text, caseless_end);
  if (first.cls == Class::mark) return contraction_end(text, begin);
  return end > begin ? contraction_end(text, end) : at;
}

/// A contraction, or [^\r\n\p{L}\p{N}]?\p{L}+
[[nodiscard]] inline std::size_t cl100k_word_end(Text text, std::size_t at, Character first) {
  if (const std::size_t end = contraction_end(text, at); end > at) return end;
  if (first.cls == Class::number || first.cls == Class::newline) return at;
  const std::size_t begin = is_letter(first.cls) ? at : at + first.length;
  std::size_t end = begin;
  while (end < text.size) {
    const Character c = text.at(end);
    if (!is_letter(c.cls)) break;
    end += c.length;
  }
  return end > begin ? end : at;
}

/// \p{N}{1,3}
[[nodiscard]] inline std::size_t number_end(Text text, std::size_t at, Character first) {
  std::size_t end = at + first.length;
  for (int i = 1; i < 3 && end < text.size; ++i) {
    const Character c = text.at(end);
    if (c.cls != Class::number) break;
    end += c.length;
  }
  return end;
}

/// The line ends after punctuation, in o200k also slashes; `at` if there are none.
template <Rules rules>
[[nodiscard]] std::size_t punctuation_tail_end(Text text, std::size_t at) {
  const auto takes = [](std::uint8_t c) {
    return c == '\r' || c == '\n' || (rules == Rules::o200k && c == '/');
  };
  while (at < text.size && takes(text.bytes[at])) ++at;
  return at;
}

///  ?[^\s\p{L}\p{N}]+[\r\n/]* (cl100k: without the slash), or `at` when none begins here.
template <Rules rules>
[[nodiscard]] std::size_t punctuation_end(Text text, std::size_t at) {
  const auto takes = [](Class c) { return c == Class::other || c == Class::mark; };
  std::size_t end = at;
  if (text.bytes[at] == ' ') ++end;
  const std::size_t begin = end;
  while (end < text.size) {
    const Character c = text.at(end);
    if (!takes(c.cls)) break;
    end += c.length;
  }
  return end > begin ? punctuation_tail_end<rules>(text, end) : at;
}

/// \s*[\r\n]+|\s+(?!\S)|\s+ : white space up to its last line end; without a line end, all of it
/// if the text ends there, else all but its last character, which belongs to the next word.
[[nodiscard]] inline std::size_t white_end(Text text, std::size_t at) {
  std::size_t end = at;
  std::size_t last = at;          // start of the last character
  std::size_t after_newline = 0;  // end of the last line end; 0: none
  while (end < text.size) {
    const Character c = text.at(end);
    if (!is_white(c.cls)) break;
    last = end;
    end += c.length;
    if (c.cls == Class::newline) after_newline = end;
  }
  if (after_newline > 0) return after_newline;
  return end < text.size && last > at ? last : end;
}

/// The end of the piece that begins at `at` < size.
template <Rules rules>
[[nodiscard, gnu::noinline]] std::size_t piece_end(Text text, std::size_t at) {
  const Character first = text.at(at);
  const std::size_t word =
      rules == Rules::o200k ? o200k_word_end(text, at, first) : cl100k_word_end(text, at, first);
  if (word > at) return word;
  if (first.cls == Class::number) return number_end(text, at, first);
  if (const std::size_t end = punctuation_end<rules>(text, at); end > at) return end;
  return white_end(text, at);
}

// The split rules for ASCII, without decoding. Pieces next to non-ASCII bytes, or near the end of
// the text, are left to piece_end. Tests compare the two.

/// The fast path needs at least so many bytes from the start of a piece on: it loads sixteen bytes
/// after a prefix.
inline constexpr std::size_t kFastMargin = 32;

#if defined(__SSE2__)
/// A mask with a bit for each of the sixteen bytes of `v`: set if the byte is in `low`..`high`,
/// both ASCII.
[[nodiscard]] inline unsigned bytes_within(__m128i v, char low, char high) {
  // `high` becomes 127, the largest signed byte, so that one comparison is enough.
  const __m128i moved = _mm_add_epi8(v, _mm_set1_epi8(static_cast<char>(127 - high)));
  const __m128i inside =
      _mm_cmpgt_epi8(moved, _mm_set1_epi8(static_cast<char>(127 - (high - low) - 1)));
  return static_cast<unsigned>(_mm_movemask_epi8(inside));
}
#endif

/// The end of A-Z* a-z* (o200k) or of [A-Za-z]* (cl100k).
template <Rules rules>
[[nodiscard]] inline std::size_t ascii_word_end(Text text, std::size_t at) {
#if defined(__SSE2__)
  if (at + 16 <= text.size) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.bytes + at));
    int length = 16;
    if constexpr (rules == Rules::o200k) {
      const int capitals = std::countr_one(bytes_within(v, 'A', 'Z'));
      length = capitals + std::countr_one(bytes_within(v, 'a', 'z') >> capitals);
    } else {
      // Setting bit 5 turns capitals into lower-case letters; it turns no byte beyond ASCII into an
      // ASCII one.
      const __m128i lower = _mm_or_si128(v, _mm_set1_epi8(0x20));
      length = std::countr_one(bytes_within(lower, 'a', 'z'));
    }
    if (length < 16) [[likely]]
      return at + static_cast<std::size_t>(length);
  }
#endif
  const auto skip = [&](Class c, Class other) {
    while (at < text.size && (text.class_of_byte(at) == c || text.class_of_byte(at) == other)) ++at;
  };
  if constexpr (rules == Rules::o200k) {
    skip(Class::upper, Class::upper);
    skip(Class::lower, Class::lower);
  } else {
    skip(Class::upper, Class::lower);
  }
  return at;
}

/// Result of the functions below if the piece has, or is followed by, what only piece_end handles.
inline constexpr std::size_t kUndecided = 0;

/// The end of the word whose letters begin at `begin`.
template <Rules rules>
[[gnu::always_inline]] inline std::size_t fast_word(Text text, std::size_t begin) {
  const std::size_t end = ascii_word_end<rules>(text, begin);
  if (end >= text.size || text.bytes[end] >= 0x80) [[unlikely]]
    return kUndecided;
  if (rules == Rules::o200k && text.bytes[end] == '\'') [[unlikely]]
    return contraction_end(text, end);
  return end;
}

/// The end of the punctuation that begins at `begin`, with its line ends.
template <Rules rules>
[[gnu::always_inline]] inline std::size_t fast_punctuation(Text text, std::size_t begin) {
  std::size_t end = begin;
  while (text.class_of_byte(end) == Class::other) {
    if (++end >= text.size) return end;
  }
  if (text.bytes[end] >= 0x80) [[unlikely]]
    return kUndecided;
  return punctuation_tail_end<rules>(text, end);
}

/// The end of up to three digits.
[[gnu::always_inline]] inline std::size_t fast_number(Text text, std::size_t at) {
  for (std::size_t end = at + 1; end < at + 3; ++end) {
    const Class c = text.class_of_byte(end);
    if (c != Class::number) return c == Class::unknown ? kUndecided : end;
  }
  return at + 3;
}

/// The result of white_end.
inline std::size_t fast_white(Text text, std::size_t at) {
  std::size_t end = at;
  std::size_t after_newline = 0;
  Class c = text.class_of_byte(at);
  while (is_white(c)) {
    ++end;
    if (c == Class::newline) after_newline = end;
    if (end >= text.size) return kUndecided;
    c = text.class_of_byte(end);
  }
  if (c == Class::unknown) return kUndecided;
  if (after_newline > 0) return after_newline;
  return end - at > 1 ? end - 1 : end;
}

/// The result of piece_end, or kUndecided. At least kFastMargin bytes must be left from `at` on.
template <Rules rules>
[[gnu::always_inline]] inline std::size_t ascii_piece_end(Text text, std::size_t at) {
  const Class next = text.class_of_byte(at + 1);
  switch (text.class_of_byte(at)) {
    case Class::upper:
    case Class::lower: return fast_word<rules>(text, at);
    case Class::other:
      if (rules == Rules::cl100k && text.bytes[at] == '\'') return kUndecided;
      if (is_letter(next)) return fast_word<rules>(text, at + 1);
      if (next == Class::unknown) return kUndecided;
      return fast_punctuation<rules>(text, at);
    case Class::space:
      if (is_letter(next)) return fast_word<rules>(text, at + 1);
      if (next == Class::unknown) return kUndecided;
      if (next == Class::number) return at + 1;
      if (next == Class::other) {
        return text.bytes[at] == ' ' ? fast_punctuation<rules>(text, at + 1) : at + 1;
      }
      return fast_white(text, at);
    case Class::number: return fast_number(text, at);
    case Class::newline: return fast_white(text, at);
    default: return kUndecided;
  }
}

/// The result of piece_end, by the fast path where possible.
template <Rules rules>
[[gnu::always_inline]] inline std::size_t fast_piece_end(Text text, std::size_t at) {
  if (text.size - at >= kFastMargin) [[likely]] {
    if (const std::size_t end = ascii_piece_end<rules>(text, at); end != kUndecided) [[likely]]
      return end;
  }
  return piece_end<rules>(text, at);
}

}  // namespace enfold::token::detail

// SPDX-License-Identifier: Apache-2.0
// Splits a text into pieces. Both encodings split by a regular expression and merge bytes only
// inside a piece. This is the reference implementation of these expressions; split_fast.h handles
// common cases without decoding.
//
// No rule looks behind, so a text that is cut at a piece boundary keeps its pieces.
#pragma once

#include "enfold/token/detail/character.h"

namespace enfold::token::detail {

enum class Rules { o200k, cl100k };

/// (?i:'s|'t|'re|'ve|'m|'ll|'d) at `at`, or `at`. Case folds as in Unicode: U+017F is an s.
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
  std::size_t caseless_end = 0;  // after the last letter without case, or mark: both halves take it
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

/// Line ends after punctuation; o200k also takes slashes.
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

/// \s*[\r\n]+|\s+(?!\S)|\s+ : up to the last line end; else all if the text ends here; else all but
/// the last character, which belongs to the next word.
[[nodiscard]] inline std::size_t white_end(Text text, std::size_t at) {
  std::size_t end = at;
  std::size_t last = at;
  std::size_t after_newline = 0;
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

}  // namespace enfold::token::detail

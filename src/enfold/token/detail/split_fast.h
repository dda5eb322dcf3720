// SPDX-License-Identifier: Apache-2.0
// The split rules for ASCII, without decoding. Leaves pieces next to non-ASCII bytes, or near the
// end of the text, to split.h. Tests compare the two.
#pragma once

#include "enfold/token/detail/split.h"

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::token::detail {

/// Far enough from the end that sixteen bytes can be loaded after any prefix.
inline constexpr std::size_t kFastMargin = 32;

#if defined(__SSE2__)
/// A bit for each of the sixteen bytes at `s` that lies in `low`..`high`, both ASCII.
[[nodiscard]] inline unsigned bytes_within(__m128i v, char low, char high) {
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

/// Result of the functions below if piece_end must decide.
inline constexpr std::size_t kUndecided = 0;

/// The piece whose letters begin at `begin`.
template <Rules rules>
[[gnu::always_inline]] inline std::size_t fast_word(Text text, std::size_t begin) {
  const std::size_t end = ascii_word_end<rules>(text, begin);
  if (end >= text.size || text.bytes[end] >= 0x80) [[unlikely]]
    return kUndecided;
  if (rules == Rules::o200k && text.bytes[end] == '\'') [[unlikely]]
    return contraction_end(text, end);
  return end;
}

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

[[gnu::always_inline]] inline std::size_t fast_number(Text text, std::size_t at) {
  for (std::size_t end = at + 1; end < at + 3; ++end) {
    const Class c = text.class_of_byte(end);
    if (c != Class::number) return c == Class::unknown ? kUndecided : end;
  }
  return at + 3;
}

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

/// The result of piece_end, or kUndecided. `at` is at least kFastMargin before the end.
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

/// As piece_end, with the fast path where it applies.
template <Rules rules>
[[gnu::always_inline]] inline std::size_t fast_piece_end(Text text, std::size_t at) {
  if (text.size - at >= kFastMargin) [[likely]] {
    if (const std::size_t end = ascii_piece_end<rules>(text, at); end != kUndecided) [[likely]]
      return end;
  }
  return piece_end<rules>(text, at);
}

}  // namespace enfold::token::detail

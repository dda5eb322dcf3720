// SPDX-License-Identifier: Apache-2.0
// Finds the ends of tokens in bytes that the scanner has validated. The functions may read up to 64
// bytes past the end of the text: the padding of its Buffer.
#pragma once

#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::json::detail {

/// Skips white space and the commas and colons between tokens.
inline const char* skip_to_token(const char* p) {
  constexpr auto bit = [](char c) { return std::uint64_t{1} << c; };
  constexpr std::uint64_t between =
      bit(',') | bit(':') | bit(' ') | bit('\n') | bit('\t') | bit('\r');
  while (static_cast<unsigned char>(*p) < 64 && (between >> *p & 1) != 0) ++p;
  return p;
}

/// `p` is at the first backslash of a string; returns the closing quote. Fast for text with many
/// escapes, such as JSON inside a string.
[[nodiscard]] const char* escaped_string_close(const char* p);

/// `p` is just after the opening quote; returns the closing quote.
inline const char* string_close(const char* p) {
#if defined(__SSE2__)
  for (;; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const int stops = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                                     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
    if (stops == 0) continue;
    p += __builtin_ctz(static_cast<unsigned>(stops));
    return *p == '"' ? p : escaped_string_close(p);
  }
#else
  while (*p != '"' && *p != '\\') ++p;
  return *p == '"' ? p : escaped_string_close(p);
#endif
}

/// `p` is in a number or literal; returns one past its end.
inline const char* scalar_close(const char* p) {
#if defined(__SSE2__)
  for (;; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i space = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes);
    const __m128i comma = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(','));
    // Setting bit 0x20 turns a closing bracket into a closing brace: one comparison finds both.
    const __m128i close =
        _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('}'));
    const int stops = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(space, comma), close));
    if (stops != 0) return p + __builtin_ctz(static_cast<unsigned>(stops));
  }
#else
  while (*p != ',' && *p != '}' && *p != ']' && static_cast<unsigned char>(*p) > ' ') ++p;
  return p;
#endif
}

/// `p` is at the beginning of a string, number or literal; returns one past its end.
inline const char* value_close(const char* p) {
  return *p == '"' ? string_close(p + 1) + 1 : scalar_close(p);
}

}  // namespace enfold::json::detail

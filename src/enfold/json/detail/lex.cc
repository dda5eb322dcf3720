// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/lex.h"

namespace enfold::json::detail {

#if defined(__SSE2__)
namespace {

// Bit i is set if byte i of the 64 bytes of `block` equals `wanted`.
std::uint64_t matches(const char* block, char wanted) {
  std::uint64_t found = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + i);
    const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted)));
    found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(mask)) << (16 * i);
  }
  return found;
}

}  // namespace

// 64 bytes per step. Every step starts before the end of the text, so it reads no further than the
// padding that follows a Buffer.
const char* escaped_string_close(const char* p) {
  constexpr std::uint64_t even = 0x5555555555555555ULL;
  std::uint64_t carry = 0;  // 1: the block's first byte is escaped
  for (;; p += 64) {
    const std::uint64_t backslashes = matches(p, '\\') & ~carry;
    // A run of backslashes escapes the second, fourth … byte from its begin: bytes at odd positions
    // if it begins at an even one, and bytes at even positions if it begins at an odd one. The
    // addition carries through each run with an odd begin, and clears it. So in `sum` its bits are
    // 0 and those of the other runs are 1, and the exclusive or selects the right positions of
    // both.
    const std::uint64_t follows = backslashes << 1 | carry;
    const std::uint64_t odd_starts = backslashes & ~even & ~follows;
    unsigned long long sum = 0;
    carry = __builtin_uaddll_overflow(odd_starts, backslashes, &sum) ? 1 : 0;
    const std::uint64_t escaped = (even ^ (std::uint64_t{sum} << 1)) & follows;
    const std::uint64_t quotes = matches(p, '"') & ~escaped;
    if (quotes != 0) return p + __builtin_ctzll(quotes);
  }
}
#else
const char* escaped_string_close(const char* p) {
  while (*p != '"') p += *p == '\\' ? 2 : 1;
  return p;
}
#endif

}  // namespace enfold::json::detail

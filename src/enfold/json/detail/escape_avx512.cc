// SPDX-License-Identifier: Apache-2.0
// Compiled with -mavx512vbmi2 and related options; used only if has_avx512(). JSON inside a string
// has many escapes. So a whole block is expanded or compressed at once, instead of copying the
// bytes up to the next escape. In every mask bit i belongs to byte i of the block.
#if defined(__x86_64__)
#include "enfold/json/detail/escape.h"

#include <immintrin.h>

namespace enfold::json::detail {
namespace {

// The byte that a character after a backslash means; 0: \u, or the character is invalid.
struct UnescapeTable {
  alignas(64) unsigned char by_letter[128] = {};
  constexpr UnescapeTable() {
    by_letter['"'] = '"';
    by_letter['\\'] = '\\';
    by_letter['/'] = '/';
    by_letter['b'] = '\b';
    by_letter['f'] = '\f';
    by_letter['n'] = '\n';
    by_letter['r'] = '\r';
    by_letter['t'] = '\t';
  }
};
constexpr UnescapeTable kUnescape;

// The letter in the escape of a control character; 0: only \u can escape it.
alignas(32) constexpr unsigned char kControlLetter[32] = {0, 0,   0,   0,   0, 0,   0,
                                                          0, 'b', 't', 'n', 0, 'f', 'r'};

}  // namespace

char* unescape_avx512(const char* from, std::size_t size, char* to) {
  constexpr std::uint64_t even = 0x5555555555555555ULL;
  const char* const end = from + size;
  const __m512i backslash = _mm512_set1_epi8('\\');
  const __m512i table_low = _mm512_load_si512(kUnescape.by_letter);
  const __m512i table_high = _mm512_load_si512(kUnescape.by_letter + 64);
  while (end - from >= 64) {
    const __m512i bytes = _mm512_loadu_si512(from);
    const std::uint64_t backslashes = _mm512_cmpeq_epi8_mask(bytes, backslash);
    if (backslashes == 0) {
      _mm512_storeu_si512(to, bytes);
      from += 64;
      to += 64;
      continue;
    }
    // The bytes that a backslash escapes are found as in lex.cc. `open`: the last byte of the block
    // is a backslash that escapes the first byte of the next block.
    const std::uint64_t follows = backslashes << 1;
    const std::uint64_t odd_starts = backslashes & ~even & ~follows;
    unsigned long long sum = 0;
    const bool open = __builtin_uaddll_overflow(odd_starts, backslashes, &sum);
    const std::uint64_t escaped = (even ^ (std::uint64_t{sum} << 1)) & follows;
    std::uint64_t escaping = backslashes & ~escaped;
    // Such a last backslash is left to the next step.
    const unsigned length = open ? 63 : 64;
    if (open) escaping &= ~(std::uint64_t{1} << 63);
    const __m512i decoded = _mm512_permutex2var_epi8(table_low, bytes, table_high);
    // The escaped bytes that the table does not decode: the letter u. The sign bit excludes bytes
    // that are not ASCII, because the table is indexed by the lower seven bits.
    const std::uint64_t unicode =
        escaped & (_mm512_cmpeq_epi8_mask(decoded, _mm512_setzero_si512()) |
                   static_cast<std::uint64_t>(_mm512_movepi8_mask(bytes)));
    // `taken`: the bytes that this step decodes, the first `advance` ones. It ends before the first
    // \u, which decode_escape() decodes below.
    std::uint64_t taken = open ? (std::uint64_t{1} << 63) - 1 : ~std::uint64_t{0};
    unsigned advance = length;
    if (unicode != 0) {
      advance = static_cast<unsigned>(__builtin_ctzll(unicode)) - 1;
      taken = advance != 0 ? ~std::uint64_t{0} >> (64 - advance) : 0;
    }
    const __m512i mixed = _mm512_mask_mov_epi8(bytes, escaped & taken, decoded);
    const std::uint64_t kept = ~escaping & taken;
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(kept, mixed));
    to += __builtin_popcountll(kept);
    from += advance;
    if (unicode != 0) from += decode_escape(from, static_cast<std::size_t>(end - from), to);
  }
  return unescape_baseline(from, static_cast<std::size_t>(end - from), to);
}

char* escape_avx512(const char* from, std::size_t size, char* to) {
  const char* const end = from + size;
  const __m256i letters = _mm256_load_si256(reinterpret_cast<const __m256i*>(kControlLetter));
  while (end - from >= 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const std::uint32_t controls = _mm256_cmplt_epu8_mask(bytes, _mm256_set1_epi8(0x20));
    std::uint32_t special = controls | _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8('"')) |
                            _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8('\\'));
    if (special == 0) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
      from += 32;
      to += 32;
      continue;
    }
    // The number of bytes that this step escapes. It ends before the first control character that
    // only \u can escape; put_escaped() writes that one.
    unsigned length = 32;
    __m256i mapped = bytes;  // the bytes, with control characters replaced by their letters
    if (controls != 0) {
      mapped = _mm256_mask_permutexvar_epi8(bytes, controls, bytes, letters);
      const std::uint32_t long_form =
          controls & _mm256_cmpeq_epi8_mask(mapped, _mm256_setzero_si256());
      if (long_form != 0) {
        length = static_cast<unsigned>(__builtin_ctz(long_form));
        if (length == 0) {
          to = put_escaped(static_cast<unsigned char>(*from++), to);
          continue;
        }
        special &= static_cast<std::uint32_t>((std::uint64_t{1} << length) - 1);
      }
    }
    // Widens each byte to "backslash, byte", then removes the backslashes that are not needed.
    const __m512i pairs = _mm512_or_si512(_mm512_slli_epi16(_mm512_cvtepu8_epi16(mapped), 8),
                                          _mm512_set1_epi16('\\'));
    std::uint64_t kept = _pdep_u64(special, 0x5555555555555555ULL) | 0xAAAAAAAAAAAAAAAAULL;
    if (length < 32) kept &= (std::uint64_t{1} << (2 * length)) - 1;
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(kept, pairs));
    to += length + static_cast<unsigned>(__builtin_popcount(special));
    from += length;
  }
  return escape_baseline(from, static_cast<std::size_t>(end - from), to);
}

}  // namespace enfold::json::detail
#endif

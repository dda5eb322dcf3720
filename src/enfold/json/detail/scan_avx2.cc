// SPDX-License-Identifier: Apache-2.0
// Compiled with -mavx2 -mbmi -mbmi2; reached only through best_scan().
#if defined(__x86_64__)
#include "enfold/json/detail/scan_impl.h"

#include <immintrin.h>

namespace enfold::json::detail {
namespace {

inline std::uint32_t mask_of(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}
inline std::uint64_t mask_of(__m256i low, __m256i high) {
  return std::uint64_t{mask_of(low)} | std::uint64_t{mask_of(high)} << 32;
}

// The bytes of a block that a backslash escapes, found as in lex.cc. `carry`, in and out: 1 if the
// first byte of this block, then of the next one, is escaped.
inline std::uint64_t escaped_bytes(std::uint64_t backslashes, std::uint64_t& carry) {
  constexpr std::uint64_t even = 0x5555555555555555ULL;
  backslashes &= ~carry;
  const std::uint64_t follows = backslashes << 1 | carry;
  const std::uint64_t odd_starts = backslashes & ~even & ~follows;
  unsigned long long sum = 0;
  carry = __builtin_uaddll_overflow(odd_starts, backslashes, &sum) ? 1 : 0;
  return (even ^ (std::uint64_t{sum} << 1)) & follows;
}

// The Kernel of scan_impl.h. Finds the bytes that end plain text in a string for 64 bytes at once
// and keeps the mask for all strings that end in this block. The mask does not depend on the end of
// the previous token, so the processor can compute it ahead.
class Avx2Kernel {
 public:
  explicit Avx2Kernel(const char* base) : block_(base), stops_(stops_of(base)) {}

  // No bound in the loop: the padding after the input is zero, and a NUL stops a string.
  __attribute__((always_inline)) const char* string_end(const char* p, const char* end, Scan& scan,
                                                        bool& escaped) {
    auto at = static_cast<std::size_t>(p - block_);
    if (at >= 64) {
      // Mostly the next block follows. Adding a constant does not depend on where the last token
      // ended, so the processor need not wait for that.
      block_ += at < 128 ? 64 : at & ~std::size_t{63};
      at &= 63;
      stops_ = stops_of(block_);
    }
    std::uint64_t stops = stops_ >> at;
    while (stops == 0) {
      block_ += 64;
      p = block_;
      stops = stops_ = stops_of(block_);
    }
    p += __builtin_ctzll(stops);
    if (*p == '"') return p;
    escaped = true;
    // Else a control character, or the NUL after the input.
    return *p == '\\' ? end_of_escaped(p, end, scan) : nullptr;
  }

  // Counts digits with a vector, because a loop over them would end in a mispredicted branch.
  // Numbers with an exponent or more than 31 bytes go to the general function.
  static const char* number_end(const char* number) {
    const char* p = *number == '-' ? number + 1 : number;
    const __m256i bytes = _mm256_sub_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
                                          _mm256_set1_epi8('0'));
    const std::uint32_t others =
        ~mask_of(_mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(9)), bytes));
    if (others << 1 == 0) return detail::number_end(number);  // bit i: byte i is no digit
    const auto whole = static_cast<std::uint32_t>(__builtin_ctz(others));
    if (whole == 0) return nullptr;
    if (whole != 1 && *p == '0') return p + 1;  // a leading zero ends the number
    p += whole;
    if (*p == '.') {
      const std::uint32_t after = others >> 1 >> whole;
      if (after == 0) return detail::number_end(number);
      if ((after & 1) != 0) return nullptr;
      p += 1 + __builtin_ctz(after);
    }
    return (*p | 0x20) == 'e' ? detail::number_end(number) : p;
  }

  // Compares 32 bytes at once; the padding makes it safe to read past the end.
  static bool same(const char* a, const char* b, std::uint32_t length) {
    const std::uint32_t equal =
        mask_of(_mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a)),
                                  _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b))));
    if (length > 32) return std::memcmp(a, b, length) == 0;
    return _bzhi_u64(~std::uint64_t{equal}, length) == 0;
  }

 private:
  // Bit i is set if byte i is a quote, a backslash or a control character.
  static std::uint64_t stops_of(const char* block) {
    const __m256i quote = _mm256_set1_epi8('"');
    const __m256i backslash = _mm256_set1_epi8('\\');
    const __m256i control = _mm256_set1_epi8(0x1F);
    const auto half = [&](const char* from) __attribute__((always_inline)) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
      return _mm256_or_si256(
          _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash)),
          _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, control), bytes));
    };
    return mask_of(half(block), half(block + 32));
  }

  // The closing quote, nullptr if there is none or the string is invalid. `p` is at a byte that is
  // not escaped. JSON inside a string has many escapes, so 64 bytes are checked per step.
  __attribute__((noinline)) static const char* end_of_escaped(const char* p, const char* end,
                                                              Scan& scan) {
    const __m256i quote = _mm256_set1_epi8('"');
    const __m256i backslash = _mm256_set1_epi8('\\');
    const __m256i control = _mm256_set1_epi8(0x1F);
    const __m256i letter_u = _mm256_set1_epi8('u');
    std::uint64_t carry = 0;
    for (; p < end; p += 64) {
      const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
      const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32));
      std::uint64_t escaped = escaped_bytes(
          mask_of(_mm256_cmpeq_epi8(low, backslash), _mm256_cmpeq_epi8(high, backslash)), carry);
      const std::uint64_t quotes =
          mask_of(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(high, quote)) & ~escaped;
      // The bytes before the closing quote.
      const std::uint64_t inside = quotes != 0 ? (quotes & (0 - quotes)) - 1 : ~std::uint64_t{0};
      const std::uint64_t controls =
          mask_of(_mm256_cmpeq_epi8(_mm256_min_epu8(low, control), low),
                  _mm256_cmpeq_epi8(_mm256_min_epu8(high, control), high));
      if ((controls & inside) != 0) return nullptr;
      escaped &= inside;
      if (escaped != 0) {
        if ((not_escapable(low, high) & escaped) != 0) return nullptr;
        std::uint64_t unicode =
            mask_of(_mm256_cmpeq_epi8(low, letter_u), _mm256_cmpeq_epi8(high, letter_u)) & escaped;
        for (; unicode != 0; unicode &= unicode - 1) {
          if (escape_end(p + __builtin_ctzll(unicode) - 1, scan) == nullptr) return nullptr;
        }
      }
      if (quotes != 0) {
        p += __builtin_ctzll(quotes);
        return p < end ? p : nullptr;
      }
    }
    return nullptr;
  }

  // Bit i is set if byte i may not follow a backslash. The tables, indexed by the halves of a byte,
  // have a common bit only for " / \ b f n r t u.
  static std::uint64_t not_escapable(__m256i low, __m256i high) {
    const __m256i by_low_nibble =
        _mm256_setr_epi8(0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1,  //
                         0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
    const __m256i by_high_nibble =
        _mm256_setr_epi8(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0,  //
                         0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    const __m256i low_class = _mm256_and_si256(
        _mm256_shuffle_epi8(by_low_nibble, _mm256_and_si256(low, nibble)),
        _mm256_shuffle_epi8(by_high_nibble, _mm256_and_si256(_mm256_srli_epi16(low, 4), nibble)));
    const __m256i high_class = _mm256_and_si256(
        _mm256_shuffle_epi8(by_low_nibble, _mm256_and_si256(high, nibble)),
        _mm256_shuffle_epi8(by_high_nibble, _mm256_and_si256(_mm256_srli_epi16(high, 4), nibble)));
    const __m256i zero = _mm256_setzero_si256();
    return mask_of(_mm256_cmpeq_epi8(low_class, zero), _mm256_cmpeq_epi8(high_class, zero));
  }

  const char* block_;    ///< the current 64 bytes; they begin at or before the next token
  std::uint64_t stops_;  ///< stops_of(block_)
};

}  // namespace

void scan_avx2(const char* base, std::size_t size, const Limits& limits, Scan& scan) {
  scan_document<Avx2Kernel>(base, size, limits, scan);
}

}  // namespace enfold::json::detail
#endif

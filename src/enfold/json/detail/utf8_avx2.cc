// SPDX-License-Identifier: Apache-2.0
// Compiled with -mavx2; reached only through is_utf8(). The method is that of Keiser and Lemire,
// "Validating UTF-8 in less than one instruction per byte": nearly every error shows in two
// neighbouring bytes, by the high half of both and the low half of the first. A table for each of
// the three halves has, for every value, the errors that are possible with it, one bit each. The
// two bytes have an error that is possible with all three halves.
#if defined(__x86_64__)
#include "enfold/json/detail/utf8_check.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace enfold::json::detail {
namespace {

// The set of the values `from` to `to` of half a byte: bit i is value i.
constexpr std::uint32_t values(std::uint32_t from, std::uint32_t to) {
  return ((2U << to) - 1) & ~((1U << from) - 1);
}
constexpr std::uint32_t kAny = values(0x0, 0xF);
constexpr std::uint32_t kContinuation = values(0x8, 0xB);

// An error of two neighbouring bytes: for each half the set of values with which it occurs.
struct Rule {
  std::uint32_t first_high, first_low, second_high;
};
// Rule i is bit i of the tables. The last rule is special: two continuations are right exactly
// where a lead byte of a sequence of three or four bytes is two or three bytes before. errors_of()
// compares the two.
constexpr std::array<Rule, 8> kRules{{
    {values(0xC, 0xF), kAny, values(0x0, 0x7) | values(0xC, 0xF)},  // no continuation after a lead
    {values(0x0, 0x7), kAny, kContinuation},                        // a continuation after ASCII
    {values(0xC, 0xC), values(0x0, 0x1), kContinuation},            // C0, C1: too long
    {values(0xE, 0xE), values(0x0, 0x0), values(0x8, 0x9)},         // E0 80 to E0 9F: too long
    {values(0xE, 0xE), values(0xD, 0xD), values(0xA, 0xB)},         // ED A0 to ED BF: surrogates
    {values(0xF, 0xF), values(0x4, 0xF), values(0x9, 0xB)},  // F4 90 and more: no code points
    {values(0xF, 0xF), values(0x0, 0x0) | values(0x5, 0xF), values(0x8, 0x8)},  // F0 80; F5 80 …
    {kContinuation, kAny, kContinuation},                                       // two continuations
}};

using Table = std::array<std::uint8_t, 32>;  // 16 values, twice: for both lanes of a vector
constexpr Table table_of(std::uint32_t Rule::* half) {
  Table table{};
  for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
    for (std::size_t value = 0; value < table.size(); ++value) {
      if ((kRules[rule].*half >> (value % 16) & 1) != 0)
        table[value] = static_cast<std::uint8_t>(table[value] | 1U << rule);
    }
  }
  return table;
}
constexpr Table kFirstHigh = table_of(&Rule::first_high);
constexpr Table kFirstLow = table_of(&Rule::first_low);
constexpr Table kSecondHigh = table_of(&Rule::second_high);

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

__m256i high_half(__m256i bytes) {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
}

// For each byte of `block` the byte that is `kBytes` before it in the text. `before`: the preceding
// block.
template <int kBytes>
__m256i moved(__m256i block, __m256i before) {
  return _mm256_alignr_epi8(block, _mm256_permute2x128_si256(before, block, 0x21), 16 - kBytes);
}

// Not zero where a byte is wrong after the bytes that precede it.
__m256i errors_of(__m256i block, __m256i before) {
  const __m256i one_before = moved<1>(block, before);
  const __m256i low = _mm256_and_si256(one_before, _mm256_set1_epi8(0x0F));
  const __m256i pairs = _mm256_and_si256(
      _mm256_and_si256(_mm256_shuffle_epi8(load(kFirstHigh.data()), high_half(one_before)),
                       _mm256_shuffle_epi8(load(kFirstLow.data()), low)),
      _mm256_shuffle_epi8(load(kSecondHigh.data()), high_half(block)));
  // Bit 7 is set two bytes after E0 and more, and three bytes after F0 and more.
  const __m256i third = _mm256_subs_epu8(moved<2>(block, before), _mm256_set1_epi8(0xE0 - 0x80));
  const __m256i fourth =
      _mm256_subs_epu8(moved<3>(block, before), _mm256_set1_epi8(static_cast<char>(0xF0 - 0x80)));
  const __m256i continues =
      _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(static_cast<char>(0x80)));
  return _mm256_xor_si256(pairs, continues);
}

bool is_ascii(__m256i bytes) { return _mm256_movemask_epi8(bytes) == 0; }

}  // namespace

bool is_utf8_avx2(std::string_view bytes) {
  __m256i before = _mm256_setzero_si256();  // the preceding 32 bytes
  __m256i errors = before;
  const char* from = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 64; from += 64, left -= 64) {
    const __m256i low = load(from);
    const __m256i high = load(from + 32);
    if (!is_ascii(_mm256_or_si256(_mm256_or_si256(low, high), before))) {
      errors = _mm256_or_si256(errors, errors_of(low, before));
      errors = _mm256_or_si256(errors, errors_of(high, low));
    }
    before = high;
  }
  if (left >= 32) {
    const __m256i block = load(from);
    errors = _mm256_or_si256(errors, errors_of(block, before));
    before = block;
    from += 32;
    left -= 32;
  }
  // The zeros after the text are no continuations: they make a sequence that is cut off an error.
  alignas(32) std::array<char, 32> rest{};
  if (left != 0) std::memcpy(rest.data(), from, left);
  errors = _mm256_or_si256(errors, errors_of(load(rest.data()), before));
  return _mm256_testz_si256(errors, errors) != 0;
}

}  // namespace enfold::json::detail
#endif

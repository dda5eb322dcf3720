// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/budget/survey/survey.h"

#include <algorithm>
#include <array>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::budget::detail {
namespace {

// What a byte is in a machine id; `none`: no machine id has it.
enum class IdByte : std::uint8_t { none, other, digit };

constexpr std::array<IdByte, 256> id_bytes() {
  std::array<IdByte, 256> of{};
  for (std::size_t i = 0; i < of.size(); ++i) {
    const char c = static_cast<char>(i);
    if (is_alphanumeric(c) || c == '_' || c == '-') of[i] = IdByte::other;
    if (is_digit(c)) of[i] = IdByte::digit;
  }
  return of;
}
constexpr std::array<IdByte, 256> kIdBytes = id_bytes();

bool begins_with_failure_word(std::string_view text) {
  static constexpr std::string_view words[] = {"error",    "fail",      "fatal", "panic",
                                               "critical", "exception", "denied"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return text.size() >= word.size() &&
           std::equal(word.begin(), word.end(), text.begin(),
                      [](char a, char b) { return a == static_cast<char>(b | 0x20); });
  });
}

}  // namespace

bool has_failure_word(std::string_view text) {
  std::size_t at = 0;
#if defined(__SSE2__)
  // Checks sixteen positions at a time for the first two letters of the words. The last block ends
  // with the text, so it may overlap the one before.
  const auto lower = [&](std::size_t place) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + place));
    return _mm_or_si128(bytes, _mm_set1_epi8(0x20));
  };
  const auto are = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  for (bool last = text.size() < 17; !last;) {
    if (at + 17 >= text.size()) at = text.size() - 17, last = true;
    const __m128i first = lower(at);
    const __m128i second = lower(at + 1);
    const __m128i r = are(second, 'r');
    const __m128i er_ex = _mm_and_si128(are(first, 'e'), _mm_or_si128(r, are(second, 'x')));
    const __m128i fa_pa =
        _mm_and_si128(_mm_or_si128(are(first, 'f'), are(first, 'p')), are(second, 'a'));
    const __m128i cr = _mm_and_si128(are(first, 'c'), r);
    const __m128i de = _mm_and_si128(are(first, 'd'), are(second, 'e'));
    const __m128i any = _mm_or_si128(_mm_or_si128(er_ex, fa_pa), _mm_or_si128(cr, de));
    for (auto places = static_cast<unsigned>(_mm_movemask_epi8(any)); places != 0;
         places &= places - 1) {
      if (begins_with_failure_word(
              text.substr(at + static_cast<std::size_t>(std::countr_zero(places))))) {
        return true;
      }
    }
    at += 16;
  }
#endif
  for (; at + 4 <= text.size(); ++at) {
    if (begins_with_failure_word(text.substr(at))) return true;
  }
  return false;
}

bool is_opaque(std::string_view source) {
  if (source.starts_with("http://") || source.starts_with("https://")) return true;
  if (source.size() < 16 || source.size() > 512) return false;
  std::size_t digits = 0;
  for (const char c : source) {
    const IdByte kind = kIdBytes[static_cast<unsigned char>(c)];
    if (kind == IdByte::none) return false;
    digits += kind == IdByte::digit ? 1 : 0;
  }
  return digits * 10 >= source.size() * 3;
}

}  // namespace enfold::budget::detail

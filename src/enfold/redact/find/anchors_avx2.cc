// SPDX-License-Identifier: Apache-2.0
// The sieve of the prefilter, 32 bytes at a time. Compiled for AVX2 and called only if available.
#include "enfold/redact/find/anchors.h"

#if defined(__AVX2__)
#include <bit>
#include <immintrin.h>
#endif

namespace enfold::redact::detail {

#if defined(__AVX2__)
namespace {

constexpr std::size_t kWidth = 32;

struct Place {
  __m256i low;
  __m256i high;
};

Place place_of(const AnchorTables::Halves& halves) {
  const auto both = [](const std::array<std::uint8_t, 16>& table) {
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
  };
  return {both(halves.low), both(halves.high)};
}

// Which of the shared bits each of 32 bytes allows at this place.
__m256i allowed(const Place& place, const char* at) {
  const __m256i half = _mm256_set1_epi8(0x0F);
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  const __m256i low = _mm256_and_si256(bytes, half);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
  return _mm256_and_si256(_mm256_shuffle_epi8(place.low, low),
                          _mm256_shuffle_epi8(place.high, high));
}

}  // namespace

std::size_t sieve_avx2(const AnchorTables& tables, std::string_view text, std::size_t from) {
  const std::array<Place, 4> places{place_of(tables.sieve[0]), place_of(tables.sieve[1]),
                                    place_of(tables.sieve[2]), place_of(tables.sieve[3])};
  std::size_t i = from;
  for (; i + kWidth + 3 <= text.size(); i += kWidth) {
    const char* const at = text.data() + i;
    const __m256i first = _mm256_and_si256(allowed(places[0], at), allowed(places[1], at + 1));
    const __m256i second = _mm256_and_si256(allowed(places[2], at + 2), allowed(places[3], at + 3));
    const __m256i none = _mm256_cmpeq_epi8(_mm256_and_si256(first, second), _mm256_setzero_si256());
    for (auto left = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(none)); left != 0;
         left &= left - 1) {
      const auto offset = static_cast<std::size_t>(std::countr_zero(left));
      if (anchors_at(tables, at + offset) != 0) return i + offset;
    }
  }
  return i;
}
#else
std::size_t sieve_avx2(const AnchorTables&, std::string_view, std::size_t from) { return from; }
#endif

}  // namespace enfold::redact::detail

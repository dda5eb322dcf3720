// SPDX-License-Identifier: Apache-2.0
// Searches candidates. With AVX2 the sieve looks at 32 positions at a time and passes few of them
// to the exact tables.
#include "enfold/redact/find/anchors.h"

#include <bit>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace enfold::redact::detail {
namespace {

using Batch = Candidates::Batch;

constexpr std::size_t kBlock = Batch::kBlock;
constexpr std::size_t kReadAhead = 3;  // bytes of an anchor after its first byte

// Positions [begin, end) of `bytes`. After `end`, `bytes` must have `kReadAhead` more bytes.
struct Range {
  const char* bytes;
  std::size_t begin;
  std::size_t end;
  std::size_t offset;  ///< of the first byte of `bytes` in the text
};

// Adds the position to the batch if an anchor matches there.
void check(const AnchorTables& tables, const Range& range, std::size_t at, Batch& batch) {
  if (const std::uint64_t anchors = anchors_at(tables, range.bytes + at)) {
    batch.add({range.offset + at, anchors});
  }
}

// search_each and search_avx2 return the end of the positions checked; both stop when the batch is
// full.
std::size_t search_each(const AnchorTables& tables, const Range& range, Batch& batch) {
  std::size_t at = range.begin;
  for (; at < range.end && !batch.is_full(); ++at) check(tables, range, at, batch);
  return at;
}

#if defined(__x86_64__)
#define ENFOLD_AVX2 __attribute__((target("avx2,bmi")))
#define ENFOLD_AVX2_INLINE [[gnu::always_inline]] inline ENFOLD_AVX2

// The nibble tables for one of the four bytes of an anchor.
struct Place {
  __m256i low;
  __m256i high;
};
using Places = std::array<Place, 4>;

// The table in both halves of a vector: _mm256_shuffle_epi8 looks up within each half.
ENFOLD_AVX2_INLINE __m256i twice(const std::array<std::uint8_t, 16>& table) {
  return _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}

ENFOLD_AVX2_INLINE Places places_of(const std::array<AnchorTables::Halves, 4>& halves) {
  Places places;  // NOLINT: filled next
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = {twice(halves[i].low), twice(halves[i].high)};
  }
  return places;
}

struct Nibbles {
  __m256i low;
  __m256i high;
};

ENFOLD_AVX2_INLINE Nibbles nibbles_at(const char* at) {
  const __m256i low_nibble = _mm256_set1_epi8(0x0F);
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  return {_mm256_and_si256(bytes, low_nibble),
          _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low_nibble)};
}

// For each of 32 bytes, the mask of sieve bits that it allows at this place of an anchor.
ENFOLD_AVX2_INLINE __m256i allowed(const Place& place, const Nibbles& nibbles) {
  return _mm256_and_si256(_mm256_shuffle_epi8(place.low, nibbles.low),
                          _mm256_shuffle_epi8(place.high, nibbles.high));
}

// For each of 32 positions, the mask of sieve bits that the four bytes from there on allow.
ENFOLD_AVX2_INLINE __m256i allowed(const Places& places, const std::array<Nibbles, 4>& nibbles) {
  return _mm256_and_si256(
      _mm256_and_si256(allowed(places[0], nibbles[0]), allowed(places[1], nibbles[1])),
      _mm256_and_si256(allowed(places[2], nibbles[2]), allowed(places[3], nibbles[3])));
}

// Reads whole blocks: up to `kBlock - 1` bytes more than the range and its `kReadAhead` bytes.
ENFOLD_AVX2 std::size_t search_avx2(const AnchorTables& tables, const Range& range, Batch& batch) {
  const Places first = places_of(tables.sieve[0]);
  const Places second = places_of(tables.sieve[1]);
  std::size_t begin = range.begin;
  for (; begin < range.end; begin += kBlock) {
    const char* const at = range.bytes + begin;
    const std::array<Nibbles, 4> nibbles{nibbles_at(at), nibbles_at(at + 1), nibbles_at(at + 2),
                                         nibbles_at(at + 3)};
    const __m256i any = _mm256_or_si256(allowed(first, nibbles), allowed(second, nibbles));
    const __m256i none = _mm256_cmpeq_epi8(any, _mm256_setzero_si256());
    auto passed = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(none));  // a bit per position
    if (passed == 0) continue;
    for (; passed != 0; passed &= passed - 1) {
      const auto position = begin + static_cast<std::size_t>(std::countr_zero(passed));
      if (position < range.end) check(tables, range, position, batch);
    }
    if (batch.is_full()) return std::min(begin + kBlock, range.end);
  }
  return range.end;
}

std::size_t search_range(const AnchorTables& tables, const Range& range, Batch& batch) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  return has_avx2 ? search_avx2(tables, range, batch) : search_each(tables, range, batch);
}
#else
std::size_t search_range(const AnchorTables& tables, const Range& range, Batch& batch) {
  return search_each(tables, range, batch);
}
#endif

}  // namespace

// The last bytes are searched in a copy that is followed by zeros, because the search reads beyond
// its range.
void Candidates::search() {
  first_ = batch_.size = 0;
  const std::size_t left = text_.size() - searched_;
  if (left >= kBlock + kReadAhead) {
    const std::size_t blocks = (left - kReadAhead) / kBlock;
    const Range range{text_.data(), searched_, searched_ + blocks * kBlock, 0};
    searched_ = search_range(*tables_, range, batch_);
    if (batch_.size != 0) return;
  }
  std::array<char, 2 * kBlock + kReadAhead> end{};
  const Range range{end.data(), 0, text_.copy(end.data(), end.size(), searched_), searched_};
  searched_ += search_range(*tables_, range, batch_);
}

}  // namespace enfold::redact::detail

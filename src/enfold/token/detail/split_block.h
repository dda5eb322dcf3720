// SPDX-License-Identifier: Apache-2.0
// The split rules for 64 bytes at once, with bit masks: ASCII words, numbers, punctuation and
// single spaces. The masks end before the first other byte (non-ASCII, line ends, runs of white
// space, apostrophes); split.h continues there.
#pragma once

#include "enfold/token/detail/split.h"

namespace enfold::token::detail {

inline constexpr std::size_t kBlock = 64;  ///< bytes

/// The pieces that begin in a block. Bit i is that of the block's byte i.
struct BlockPieces {
  std::uint64_t starts = 0;  ///< bytes at which a piece begins
  std::uint64_t digits = 0;  ///< a piece that begins at one of these bytes is a number
};

#if defined(__SSE2__)
inline constexpr bool kHasBlocks = true;

/// The classes of the bytes of a block. Bit i is that of byte i.
struct BlockMasks {
  std::uint64_t letters = 0;
  std::uint64_t capitals = 0;  ///< only for o200k
  std::uint64_t digits = 0;
  std::uint64_t spaces = 0;  ///< U+0020
  std::uint64_t stops = 0;   ///< bytes that end the block: split.h handles them
};

template <Rules rules>
[[gnu::always_inline]] inline BlockMasks block_masks(const std::uint8_t* block) {
  BlockMasks masks;
  std::uint64_t apostrophes = 0;
  for (unsigned at = 0; at < kBlock; at += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + at));
    const auto bits_of = [&](__m128i bytes) {
      return std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(bytes))} << at;
    };
    const auto within = [&](__m128i bytes, char low, char high) {
      return std::uint64_t{bytes_within(bytes, low, high)} << at;
    };
    masks.letters |= within(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 'z');
    if constexpr (rules == Rules::o200k) masks.capitals |= within(v, 'A', 'Z');
    masks.digits |= within(v, '0', '9');
    masks.spaces |= bits_of(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));
    masks.stops |= within(v, '\t', '\r') | bits_of(v);
    apostrophes |= bits_of(_mm_cmpeq_epi8(v, _mm_set1_epi8('\'')));
  }
  // An apostrophe may begin a contraction: in o200k only after a letter, in cl100k anywhere.
  masks.stops |= rules == Rules::o200k ? apostrophes & masks.letters << 1 : apostrophes;
  // Also a space before another space or a stop: split.h finds the piece of such white space.
  masks.stops |= masks.spaces & (masks.spaces | masks.stops) >> 1;
  return masks;
}

/// Finds the pieces of a block, which must start at the start of a piece. The last piece may
/// continue after the block; piece_end finds its end.
template <Rules rules>
[[nodiscard, gnu::always_inline]] inline BlockPieces piece_starts(const std::uint8_t* block) {
  const BlockMasks masks = block_masks<rules>(block);
  const std::uint64_t letters = masks.letters;
  const std::uint64_t digits = masks.digits;
  const std::uint64_t others = ~(letters | digits | masks.spaces | masks.stops);
  // A space belongs to the word or punctuation after it. A single other character belongs to a word
  // after it.
  const std::uint64_t other_starts = others & ~(others << 1) & ~(masks.spaces << 1);
  std::uint64_t word_starts =
      letters & ~(letters << 1) & ~(masks.spaces << 1) & ~(other_starts << 1);
  if constexpr (rules == Rules::o200k) {
    word_starts |= masks.capitals & (letters & ~masks.capitals) << 1;
  }
  std::uint64_t number_starts = digits & ~(digits << 1);
  // Digits after three others. One of them that is three bytes after the start of a number starts
  // the next number.
  const std::uint64_t fourth = digits & digits << 1 & digits << 2 & digits << 3;
  // Finds the first five numbers of a run of digits without unpredictable branches, others in a
  // loop.
  std::uint64_t next = number_starts;
  for (int group = 1; group < 5; ++group) {
    next = next << 3 & fourth;
    number_starts |= next;
  }
  while (next != 0) {
    next = next << 3 & fourth;
    number_starts |= next;
  }
  const std::uint64_t starts = other_starts | word_starts | number_starts | masks.spaces;
  // Keeps the starts before the first stop.
  return {starts & (masks.stops - 1) & ~masks.stops, digits};
}

/// The mask of bytes after which a piece certainly ends, whatever precedes the block: the last
/// letter of a word before ASCII other than letters and apostrophes, the last digit of a number
/// before other ASCII, the last of two or more punctuation characters before a letter or digit.
template <Rules rules>
[[nodiscard, gnu::always_inline]] inline std::uint64_t sure_ends(const std::uint8_t* block) {
  std::uint64_t letters = 0;
  std::uint64_t digits = 0;
  std::uint64_t non_ascii = 0;
  std::uint64_t punctuation = 0;
  std::uint64_t apostrophes = 0;
  std::uint64_t slashes = 0;
  for (unsigned at = 0; at < kBlock; at += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + at));
    const auto within = [&](__m128i bytes, char low, char high) {
      return std::uint64_t{bytes_within(bytes, low, high)} << at;
    };
    letters |= within(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 'z');
    digits |= within(v, '0', '9');
    non_ascii |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(v))} << at;
    punctuation |= within(v, '!', '~');
    apostrophes |= within(v, '\'', '\'');
    if constexpr (rules == Rules::o200k) slashes |= within(v, '/', '/');
  }
  punctuation &= ~(letters | digits);
  // The byte after the block is unknown and counts as non-ASCII.
  const std::uint64_t before_ascii = ~(non_ascii >> 1) & ~(std::uint64_t{1} << 63);
  const std::uint64_t words = letters & ~((letters | apostrophes) >> 1);
  const std::uint64_t numbers = digits & ~(digits >> 1);
  // In o200k, a slash may belong to the line ends before it, so it is not the first of two
  // characters.
  const std::uint64_t groups =
      punctuation & (punctuation & ~slashes) << 1 & (letters | digits) >> 1;
  return ((words | numbers) & before_ascii) | groups;
}
#else
inline constexpr bool kHasBlocks = false;

template <Rules rules>
[[nodiscard]] inline std::uint64_t sure_ends(const std::uint8_t*) {
  return 0;
}

template <Rules rules>
[[nodiscard]] inline BlockPieces piece_starts(const std::uint8_t*) {
  return {};
}
#endif

}  // namespace enfold::token::detail

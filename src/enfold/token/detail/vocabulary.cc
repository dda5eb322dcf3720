// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/detail/vocabulary.h"

namespace enfold::token::detail {
namespace {

constexpr std::size_t kHeader = 16;           // bytes; data/tokens/README.md describes the layout
constexpr std::size_t kSeedCountOffset = 12;  // bytes

/// Where the table for tokens of one length is. The table is a perfect hash: the hash of a token
/// selects a group, and the seed of the group gives each of its tokens a slot of its own.
struct TableEntry {
  std::uint32_t first_record;  ///< byte offset among the records
  std::uint32_t slot_count;
  std::uint32_t first_seed;  ///< index among the seeds
  std::uint32_t group_count;
};

// Reads a little-endian number of the size of Word.
template <class Word>
std::uint64_t load(const std::uint8_t* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The same as hash_of in tools/generate_token_tables. `length` is at least 2; no byte outside the
// string is read.
std::uint64_t hash_of(const std::uint8_t* bytes, std::size_t length) {
  constexpr std::uint64_t factor_low = 0x9E3779B97F4A7C15;
  constexpr std::uint64_t factor_high = 0xC2B2AE3D27D4EB4F;
  constexpr std::uint64_t factor_last = 0x165667B19E3779F9;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (length < 4) {
    low = load<std::uint16_t>(bytes) | std::uint64_t{bytes[length - 1]} << 16;
  } else if (length < 8) {
    low = load<std::uint32_t>(bytes) | load<std::uint32_t>(bytes + length - 4) << 32;
  } else {
    low = load<std::uint64_t>(bytes);
    high = load<std::uint64_t>(bytes + length - 8);
    for (std::size_t at = 8; at + 8 < length; at += 8) {
      low *= factor_low;
      low ^= low >> 32 ^ load<std::uint64_t>(bytes + at);
    }
  }
  std::uint64_t mixed = low * factor_low;
  mixed = ((mixed ^ mixed >> 32) + high) * factor_high;
  mixed = (mixed ^ mixed >> 29) * factor_last;
  return mixed ^ mixed >> 32;
}

// The same as slot_of in tools/generate_token_tables.
std::uint32_t slot_of(std::uint32_t hash, std::uint32_t seed, std::uint32_t slots) {
  std::uint32_t mixed = (hash ^ seed * 0x9E3779B1U) * 0x85EBCA6BU;
  mixed = (mixed ^ mixed >> 15) * 0xC2B2AE35U;
  return static_cast<std::uint32_t>(std::uint64_t{mixed} * slots >> 32);
}

// `length` is at least 2.
bool same_bytes(const std::uint8_t* a, const std::uint8_t* b, std::size_t length) {
  if (length > 16) return std::memcmp(a, b, length) == 0;
  if (length >= 8) {
    return load<std::uint64_t>(a) == load<std::uint64_t>(b) &&
           load<std::uint64_t>(a + length - 8) == load<std::uint64_t>(b + length - 8);
  }
  if (length >= 4) {
    return load<std::uint32_t>(a) == load<std::uint32_t>(b) &&
           load<std::uint32_t>(a + length - 4) == load<std::uint32_t>(b + length - 4);
  }
  return load<std::uint16_t>(a) == load<std::uint16_t>(b) && a[length - 1] == b[length - 1];
}

}  // namespace

Rank Vocabulary::rank(const std::uint8_t* bytes, std::size_t length) const {
  if (length > longest()) return kNoRank;
  TableEntry entry{};
  std::memcpy(&entry, table_ + kHeader + length * sizeof entry, sizeof entry);
  if (entry.slot_count == 0) return kNoRank;
  const std::uint8_t* seeds = table_ + kHeader + (longest() + std::size_t{1}) * sizeof entry;
  const std::uint8_t* records = seeds + std::size_t{field(kSeedCountOffset)} * 2;

  const std::uint64_t hash = hash_of(bytes, length);
  const std::uint64_t group = (hash >> 32) * entry.group_count >> 32;
  const auto seed =
      static_cast<std::uint32_t>(load<std::uint16_t>(seeds + (entry.first_seed + group) * 2));
  const std::uint32_t slot = slot_of(static_cast<std::uint32_t>(hash), seed, entry.slot_count);
  const std::uint8_t* record = records + entry.first_record + slot * (length + 3);
  if (!same_bytes(record, bytes, length)) return kNoRank;
  return record[length] | std::uint32_t{record[length + 1]} << 8 |
         std::uint32_t{record[length + 2]} << 16;
}

}  // namespace enfold::token::detail

// SPDX-License-Identifier: Apache-2.0
// The vocabulary: the rank of each token. A perfect hash table per length, used in place; lookups
// compare all bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace enfold::token::detail {

/// Tokens with a lower rank are merged first. kNoRank: not a token.
using Rank = std::uint32_t;
inline constexpr Rank kNoRank = 0xFFFFFF;

class Vocabulary {
 public:
  /// `table` is a file of data/tokens, which tools/generate_token_tables wrote.
  explicit constexpr Vocabulary(const std::uint8_t* table) : table_(table) {}

  /// The rank of the token with these bytes; kNoRank: they are no token. `length` must be at least
  /// 2: every single byte is a token, and the table does not have those.
  [[nodiscard]] Rank rank(const std::uint8_t* bytes, std::size_t length) const;

  [[nodiscard]] std::uint32_t size() const { return field(4); }  ///< number of tokens
  /// The longest token in bytes.
  [[nodiscard]] std::uint32_t longest() const { return field(8); }
  /// Identifies the vocabulary.
  [[nodiscard]] const std::uint8_t* table() const { return table_; }

 private:
  /// The number at this byte offset of the header.
  [[nodiscard]] std::uint32_t field(std::size_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, table_ + at, sizeof value);
    return value;
  }

  const std::uint8_t* table_;
};

// The files of data/tokens, embedded in the program and used in place. data/tokens/README.md
// describes their layout.

extern "C" {
// Null in a program that does not link enfold::token_tables.
[[gnu::weak, gnu::visibility("hidden")]] extern const std::uint8_t enfold_token_o200k_base[];
[[gnu::weak, gnu::visibility("hidden")]] extern const std::uint8_t enfold_token_cl100k_base[];
// Only the tokens of the lowest ranks of both vocabularies. Every program has them.
extern const std::uint8_t enfold_token_o200k_base_short[];
extern const std::uint8_t enfold_token_cl100k_base_short[];
// The character class of each code point (split.h). Every program has it.
extern const std::uint8_t enfold_token_unicode16[];
}

}  // namespace enfold::token::detail

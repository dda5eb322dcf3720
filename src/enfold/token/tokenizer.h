// SPDX-License-Identifier: Apache-2.0
// Counts the tokens of texts. In a program that links enfold::token_tables (3 MB) the two encodings
// are exact: counts equal those of the vendor's tokenizer. In others they are upper bounds. They
// need no initialization and are thread-safe.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace enfold::token {

using TokenCount = std::size_t;
inline constexpr TokenCount kNoLimit = std::numeric_limits<TokenCount>::max();

/// Control tokens count as text: "<|endoftext|>" is seven tokens. Invalid UTF-8 is counted as
/// bytes.
class Tokenizer {
 public:
  constexpr virtual ~Tokenizer() = default;

  /// The name in reports: "o200k_base".
  [[nodiscard]] virtual std::string_view name() const = 0;

  [[nodiscard]] virtual TokenCount count(std::string_view text) const = 0;

  /// count(text) <= limit. Does not count further than the limit.
  [[nodiscard]] virtual bool fits(std::string_view text, TokenCount limit) const = 0;

  /// About the longest prefix of whole tokens within the limit that splits no code point. The
  /// prefix itself always fits; it may be empty.
  [[nodiscard]] virtual std::string_view prefix(std::string_view text, TokenCount limit) const = 0;

 protected:
  constexpr Tokenizer() = default;
  constexpr Tokenizer(const Tokenizer&) = default;
  constexpr Tokenizer& operator=(const Tokenizer&) = default;
};

/// Whether this program links enfold::token_tables.
[[nodiscard]] bool counts_exactly();

/// The encoding; where counts_exactly() is false, its bound.
[[nodiscard]] const Tokenizer& o200k_base();
[[nodiscard]] const Tokenizer& cl100k_base();

/// Counts at least as many tokens as the encoding has, from a table of its most frequent tokens.
/// See docs/reference/tokens.md for how many more.
[[nodiscard]] const Tokenizer& o200k_base_bound();
[[nodiscard]] const Tokenizer& cl100k_base_bound();

/// o200k_base() and cl100k_base().
[[nodiscard]] std::span<const Tokenizer* const> encodings();
/// nullptr if no encoding has this name.
[[nodiscard]] const Tokenizer* find_encoding(std::string_view name);

/// Whether the text may be counted in two parts, split at `at`: with both encodings, the sum of the
/// parts then equals the count of the whole. True at both ends, and after a line feed if neither
/// white space nor a slash follows. Elsewhere the sum may differ.
[[nodiscard]] bool adds_up_at(std::string_view text, std::size_t at);

}  // namespace enfold::token

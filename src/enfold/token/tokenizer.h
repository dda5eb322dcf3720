// SPDX-License-Identifier: Apache-2.0
// How many tokens a text costs. The two encodings are exact: every count equals that of the
// vendor's own tokenizer. They are constants of the program, need no preparation, and may be used
// from any thread at any time.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace enfold::token {

using TokenCount = std::size_t;
inline constexpr TokenCount kNoLimit = std::numeric_limits<TokenCount>::max();

/// Counts text, never control tokens: "<|endoftext|>" is seven tokens of text. Bytes that are not
/// UTF-8 are counted as bytes.
class Tokenizer {
 public:
  constexpr virtual ~Tokenizer() = default;

  /// As reports give it: "o200k_base".
  [[nodiscard]] virtual std::string_view name() const = 0;

  [[nodiscard]] virtual TokenCount count(std::string_view text) const = 0;

  /// count(text) <= limit, in time that grows with the limit and not with the text.
  [[nodiscard]] virtual bool fits(std::string_view text, TokenCount limit) const = 0;

  /// The first tokens of the text, as many as are within the limit, without splitting a code
  /// point: all of the text if it fits, and always something that fits.
  [[nodiscard]] virtual std::string_view prefix(std::string_view text, TokenCount limit) const = 0;

 protected:
  constexpr Tokenizer() = default;
  constexpr Tokenizer(const Tokenizer&) = default;
  constexpr Tokenizer& operator=(const Tokenizer&) = default;
};

[[nodiscard]] const Tokenizer& o200k_base();
[[nodiscard]] const Tokenizer& cl100k_base();

[[nodiscard]] std::span<const Tokenizer* const> encodings();
/// nullptr: there is none of this name.
[[nodiscard]] const Tokenizer* find_encoding(std::string_view name);

/// Whether, with both encodings, count(text) = count(text before `at`) + count(text from `at`) for
/// certain: after a line feed, if neither white space nor a slash follows. Elsewhere the whole can
/// cost less than its parts, and also more.
[[nodiscard]] bool adds_up_at(std::string_view text, std::size_t at);

}  // namespace enfold::token

// SPDX-License-Identifier: Apache-2.0
// Counts tokens and characters of pieces of text. Tokens can span two pieces, so a sum is an
// estimate; the complete answer is always measured.
#pragma once

#include "enfold/base/text.h"
#include "enfold/token/tokenizer.h"

namespace enfold::budget::detail {

/// Signed: a difference of costs can be negative.
struct Cost {
  std::int64_t tokens = 0;
  std::int64_t characters = 0;

  Cost& operator+=(const Cost& other) {
    tokens += other.tokens;
    characters += other.characters;
    return *this;
  }
  Cost& operator-=(const Cost& other) {
    tokens -= other.tokens;
    characters -= other.characters;
    return *this;
  }
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  friend Cost operator-(Cost a, const Cost& b) { return a -= b; }
  friend bool operator==(const Cost&, const Cost&) = default;

  [[nodiscard]] bool within(const Cost& limit) const {
    return tokens <= limit.tokens && characters <= limit.characters;
  }
  /// The cost times `part` / `of`.
  [[nodiscard]] Cost share(std::int64_t part, std::int64_t of) const {
    return {tokens * part / of, characters * part / of};
  }
};

class Counter {
 public:
  explicit Counter(const token::Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  [[nodiscard]] const token::Tokenizer& tokenizer() const { return *tokenizer_; }
  [[nodiscard]] Cost of(std::string_view text) const {
    return {static_cast<std::int64_t>(tokenizer_->count(text)),
            static_cast<std::int64_t>(utf8::length(text))};
  }
  [[nodiscard]] std::int64_t tokens(std::string_view text) const {
    return static_cast<std::int64_t>(tokenizer_->count(text));
  }
  [[nodiscard]] bool fits(std::string_view text, std::size_t tokens) const {
    return tokenizer_->fits(text, tokens);
  }
  /// Bytes of the longest prefix of `text` with at most `tokens`.
  [[nodiscard]] std::size_t prefix(std::string_view text, std::size_t tokens) const {
    return tokenizer_->prefix(text, tokens).size();
  }

 private:
  const token::Tokenizer* tokenizer_;
};

}  // namespace enfold::budget::detail

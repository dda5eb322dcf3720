// SPDX-License-Identifier: Apache-2.0
// Estimates for models without a public tokenizer, based on public ones. Uses integers only, so
// that counts are the same on all platforms.
#pragma once

#include "enfold/token/tokenizer.h"

#include <cstdint>

namespace enfold::token {

/// The count of another tokenizer times a factor, rounded up.
class Estimate final : public Tokenizer {
 public:
  /// The factor is `permille` / 1000. Must be at least 1, so that no estimate is below the count.
  constexpr Estimate(std::string_view name, const Tokenizer& base, std::uint32_t permille)
      : name_(name), base_(&base), permille_(permille) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] TokenCount count(std::string_view text) const override;
  [[nodiscard]] bool fits(std::string_view text, TokenCount limit) const override;
  [[nodiscard]] std::string_view prefix(std::string_view text, TokenCount limit) const override;

 private:
  /// The limit for counts of `base_` that corresponds to a limit for estimates.
  [[nodiscard]] TokenCount base_limit(TokenCount limit) const;

  std::string_view name_;
  const Tokenizer* base_;
  std::uint64_t permille_;
};

/// The larger count of two tokenizers.
class LargerCount final : public Tokenizer {
 public:
  constexpr LargerCount(std::string_view name, const Tokenizer& first, const Tokenizer& second)
      : name_(name), first_(&first), second_(&second) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] TokenCount count(std::string_view text) const override;
  [[nodiscard]] bool fits(std::string_view text, TokenCount limit) const override;
  [[nodiscard]] std::string_view prefix(std::string_view text, TokenCount limit) const override;

 private:
  std::string_view name_;
  const Tokenizer* first_;
  const Tokenizer* second_;
};

}  // namespace enfold::token

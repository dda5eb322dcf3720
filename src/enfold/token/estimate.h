// SPDX-License-Identifier: Apache-2.0
// Estimates for models without a public tokenizer, based on public ones. Uses integers only, so
// that counts are the same on all platforms.
#pragma once

#include "enfold/token/tokenizer.h"

#include <cstdint>

namespace enfold::token {

/// An exact count times a factor, rounded up.
class Estimate final : public Tokenizer {
 public:
  /// `permille` is at least 1000, so that the estimate is never below the count.
  constexpr Estimate(std::string_view name, const Tokenizer& counted, std::uint32_t permille)
      : name_(name), counted_(&counted), permille_(permille) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] TokenCount count(std::string_view text) const override;
  [[nodiscard]] bool fits(std::string_view text, TokenCount limit) const override;
  [[nodiscard]] std::string_view prefix(std::string_view text, TokenCount limit) const override;

 private:
  [[nodiscard]] TokenCount counted_limit(TokenCount limit) const;

  std::string_view name_;
  const Tokenizer* counted_;
  std::uint64_t permille_;
};

/// The larger count of two tokenizers.
class Larger final : public Tokenizer {
 public:
  constexpr Larger(std::string_view name, const Tokenizer& first, const Tokenizer& second)
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

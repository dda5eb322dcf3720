// SPDX-License-Identifier: Apache-2.0
// Tokenizers for models whose own is not public, made of those that are. Integers throughout, so
// that the same text costs the same everywhere.
#pragma once

#include "enfold/token/tokenizer.h"

#include <cstdint>

namespace enfold::token {

/// An exact count times a factor, rounded up.
class Estimate final : public Tokenizer {
 public:
  /// `permille` at least 1000: an estimate below the count it is made from would be no bound.
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

/// Whichever of two tokenizers asks more.
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

// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/estimate.h"

#include <algorithm>

namespace enfold::token {

TokenCount Estimate::count(std::string_view text) const {
  const TokenCount counted = base_->count(text);
  // In two steps, so that the product of a count and a factor cannot overflow.
  return counted / 1000 * permille_ + (counted % 1000 * permille_ + 999) / 1000;
}

// The largest count whose estimate is within the limit.
TokenCount Estimate::base_limit(TokenCount limit) const {
  return limit / permille_ * 1000 + limit % permille_ * 1000 / permille_;
}

bool Estimate::fits(std::string_view text, TokenCount limit) const {
  return base_->fits(text, base_limit(limit));
}

std::string_view Estimate::prefix(std::string_view text, TokenCount limit) const {
  return base_->prefix(text, base_limit(limit));
}

TokenCount LargerCount::count(std::string_view text) const {
  return std::max(first_->count(text), second_->count(text));
}

bool LargerCount::fits(std::string_view text, TokenCount limit) const {
  return first_->fits(text, limit) && second_->fits(text, limit);
}

// A shorter text can have more tokens. So the prefix of one tokenizer is checked by the other one
// until both accept it; each round shortens it.
std::string_view LargerCount::prefix(std::string_view text, TokenCount limit) const {
  std::string_view kept = first_->prefix(text, limit);
  while (!second_->fits(kept, limit)) {
    kept = first_->prefix(second_->prefix(kept, limit), limit);
  }
  return kept;
}

}  // namespace enfold::token

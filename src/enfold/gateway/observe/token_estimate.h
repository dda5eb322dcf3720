// SPDX-License-Identifier: Apache-2.0
// Estimates the tokens of an answer for metrics: cheap and close. Budgets use exact counts.
#pragma once

#include "enfold/json/document.h"
#include "enfold/token/tokenizer.h"

#include <string_view>

namespace enfold::gateway {

/// Exact for short texts; for long ones only some pieces are counted.
[[nodiscard]] token::TokenCount about_tokens(std::string_view text,
                                             const token::Tokenizer& tokenizer);

/// The tokens of a tool's result: of its texts or of its structured content, the larger of the two,
/// because one often repeats the other.
[[nodiscard]] token::TokenCount about_tokens_of_result(json::View result,
                                                       const token::Tokenizer& tokenizer);

}  // namespace enfold::gateway

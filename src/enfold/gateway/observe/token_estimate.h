// SPDX-License-Identifier: Apache-2.0
// Estimates the tokens of an answer for metrics: cheap and close. Budgets use exact counts.
#pragma once

#include "enfold/json/document.h"
#include "enfold/token/tokenizer.h"

#include <string_view>

namespace enfold::gateway {

/// Exact for short texts; of long ones some pieces are counted.
[[nodiscard]] token::TokenCount about_tokens(std::string_view text,
                                             const token::Tokenizer& tokenizer);

/// Of a tool's result in the channel that a model reads: its texts or its structured content,
/// whichever is more, for one often repeats the other.
[[nodiscard]] token::TokenCount about_tokens_of_result(json::View result,
                                                       const token::Tokenizer& tokenizer);

}  // namespace enfold::gateway

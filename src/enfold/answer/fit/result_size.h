// SPDX-License-Identifier: Apache-2.0
// The size of a tool's result as the server sent it, for the dashboard. Budgets use measure.h.
// Metrics and log estimate the size (gateway/observe/answer_cost.h).
#pragma once

#include "enfold/answer/fit/measure.h"

namespace enfold::answer {

/// Of its texts or of its structured content, the one with more tokens, because one often repeats
/// the other.
[[nodiscard]] budget::Size size_of_result(json::View result, const token::Tokenizer& tokenizer,
                                          token::CharacterUnit unit);

}  // namespace enfold::answer

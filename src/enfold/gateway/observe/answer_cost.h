// SPDX-License-Identifier: Apache-2.0
// What an answer costs in bytes and tokens, for metrics and log. Token counts are estimates;
// budgets are kept by exact counts elsewhere.
#pragma once

#include "enfold/json/document.h"
#include "enfold/mcp/types/result.h"
#include "enfold/serve/log.h"
#include "enfold/token/tokenizer.h"

namespace enfold::gateway {

/// Exact for short texts; for long ones only some pieces are counted.
[[nodiscard]] token::TokenCount about_tokens(std::string_view text,
                                             const token::Tokenizer& tokenizer);

/// The tokens of a tool's result: of its texts or of its structured content, the larger of the two,
/// because one often repeats the other.
[[nodiscard]] token::TokenCount about_tokens_of_result(json::View result,
                                                       const token::Tokenizer& tokenizer);

using AnswerCost = serve::LogLine::Weight;

/// The cost of a result as the upstream returned it. May run on any thread.
[[nodiscard]] AnswerCost measure(json::View result, const token::Tokenizer& tokenizer);

/// Estimates the cost of a result from the average of the tool's earlier answers, because counting
/// tokens takes most of the time of a small answer.
[[nodiscard]] AnswerCost estimate(json::View result, const AnswerCost& typical);

/// Adds the cost of the reply. `tokens`: the exact count, 0 if the reply was not counted. `typical`
/// may be null.
void add_reply(AnswerCost& cost, const mcp::Reply& reply, std::uint64_t tokens,
               const AnswerCost* typical, const token::Tokenizer& tokenizer);

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// The bytes and tokens of an answer, for metrics and log. The token counts are estimates; budgets
// use exact counts.
#pragma once

#include "enfold/json/document.h"
#include "enfold/mcp/types/result.h"
#include "enfold/serve/log.h"
#include "enfold/token/tokenizer.h"

namespace enfold::gateway {

/// The tokens of texts with more bytes are estimated from samples.
inline constexpr std::size_t kMaxCountedBytes = 2'048;

/// Exact for texts of up to kMaxCountedBytes; for longer ones, samples are counted.
[[nodiscard]] token::TokenCount estimate_tokens(std::string_view text,
                                                const token::Tokenizer& tokenizer);

/// The tokens of a tool's result: of its texts or of its structured content, the larger of the two,
/// because one often repeats the other.
[[nodiscard]] token::TokenCount estimate_result_tokens(json::View result,
                                                       const token::Tokenizer& tokenizer);

using AnswerCost = serve::LogLine::Weight;

/// The bytes and tokens of a result as the upstream returned it (`bytes_in`, `tokens_before`). May
/// run on any thread.
[[nodiscard]] AnswerCost measure_result(json::View result, const token::Tokenizer& tokenizer);

/// Like measure_result, but does not count tokens, which takes most of the time of a small answer:
/// uses the ratio of tokens to bytes in `earlier`, the sums over the tool's earlier answers.
[[nodiscard]] AnswerCost estimate_result(json::View result, const AnswerCost& earlier);

/// Whether the tokens of a result were counted, not estimated from samples or from `earlier` (null:
/// the cost is from measure_result).
[[nodiscard]] inline bool is_exact(const AnswerCost& cost, const AnswerCost* earlier) {
  return earlier == nullptr && cost.tokens_before > 0 && cost.bytes_in <= kMaxCountedBytes;
}

/// Adds the bytes and tokens of the reply to the client. `tokens`: the exact count; 0: the reply
/// was not counted, so they are estimated from `earlier`, or measured if that is null.
void add_reply_cost(AnswerCost& cost, const mcp::Reply& reply, std::uint64_t tokens,
                    const AnswerCost* earlier, const token::Tokenizer& tokenizer);

}  // namespace enfold::gateway

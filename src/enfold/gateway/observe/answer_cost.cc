// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/answer_cost.h"

#include "enfold/gateway/observe/token_estimate.h"

#include <cmath>

namespace enfold::gateway {
namespace {

std::uint64_t in_proportion(std::uint64_t bytes, std::uint64_t tokens, std::uint64_t of_bytes) {
  const double each = static_cast<double>(tokens) / static_cast<double>(of_bytes);
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) * each));
}

std::uint64_t size_of(const mcp::Reply& reply) {
  const auto* complete = std::get_if<mcp::Complete>(&reply);
  if (complete == nullptr) return 0;
  if (const auto* value = std::get_if<json::Value>(&complete->object)) {
    return value->view().raw().size();
  }
  const auto* written = std::get_if<json::Output>(&complete->object);
  return written != nullptr ? written->size() : 0;
}

std::uint64_t tokens_of(const mcp::Reply& reply, const token::Tokenizer& tokenizer) {
  const auto* complete = std::get_if<mcp::Complete>(&reply);
  if (complete == nullptr) return 0;
  if (const auto* value = std::get_if<json::Value>(&complete->object)) {
    return about_tokens_of_result(value->view(), tokenizer);
  }
  const auto* written = std::get_if<json::Output>(&complete->object);
  if (written == nullptr) return 0;
  const std::string text = written->str();
  const auto read = json::parse(text);
  return read ? about_tokens_of_result(read->root(), tokenizer) : 0;
}

}  // namespace

AnswerCost measure(json::View result, const token::Tokenizer& tokenizer) {
  AnswerCost cost;
  cost.bytes_in = result.raw().size();
  cost.tokens_before = about_tokens_of_result(result, tokenizer);
  return cost;
}

AnswerCost estimate(json::View result, const AnswerCost& typical) {
  AnswerCost cost;
  cost.bytes_in = result.raw().size();
  cost.tokens_before = in_proportion(cost.bytes_in, typical.tokens_before, typical.bytes_in);
  return cost;
}

void add_reply(AnswerCost& cost, const mcp::Reply& reply, std::uint64_t tokens,
               const AnswerCost* typical, const token::Tokenizer& tokenizer) {
  cost.bytes_out = size_of(reply);
  if (tokens > 0) {
    cost.tokens_after = tokens;
  } else if (typical != nullptr) {
    cost.tokens_after = in_proportion(cost.bytes_out, typical->tokens_after, typical->bytes_out);
  } else {
    cost.tokens_after = tokens_of(reply, tokenizer);
  }
}

}  // namespace enfold::gateway

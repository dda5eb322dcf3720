// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/answer_cost.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace enfold::gateway {
namespace {

// Of a text longer than kMaxCountedBytes only this many pieces are counted.
constexpr std::size_t kPieceCount = 8;
constexpr std::size_t kPieceBytes = 256;
static_assert(kMaxCountedBytes == kPieceCount * kPieceBytes);

// Every byte of a character beyond ASCII counts as part of a word.
bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80;
}

// Removes words that the ends may have cut: a part of a word can have more tokens than the word.
std::string_view whole_words(std::string_view piece) {
  constexpr std::size_t kMaxWordBytes = 32;
  std::size_t begin = 0;
  while (begin < kMaxWordBytes && is_word_byte(piece[begin])) ++begin;
  std::size_t end = piece.size();
  while (end > piece.size() - kMaxWordBytes && is_word_byte(piece[end - 1])) --end;
  return piece.substr(begin, end - begin);
}

// Calls `count` with evenly spaced pieces of a long text and extrapolates to its full length.
template <class Count>
token::TokenCount extrapolate(std::string_view text, const Count& count) {
  token::TokenCount tokens = 0;
  std::size_t counted = 0;
  const std::size_t stride = (text.size() - kPieceBytes) / (kPieceCount - 1);
  for (std::size_t i = 0; i < kPieceCount; ++i) {
    const std::string_view piece = whole_words(text.substr(i * stride, kPieceBytes));
    tokens += count(piece);
    counted += piece.size();
  }
  return tokens * text.size() / counted;
}

// Decodes the most common escapes in a piece of a JSON string. The piece may begin or end inside an
// escape.
std::string unescaped(std::string_view piece) {
  std::string out;
  out.reserve(piece.size());
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const bool escape = piece[i] == '\\' && i + 1 < piece.size();
    const char next = escape ? piece[i + 1] : piece[i];
    i += escape ? 1 : 0;
    out += escape && next == 'n' ? '\n' : next;
  }
  return out;
}

// `text`: a JSON string.
token::TokenCount estimate_text_tokens(json::View text, const token::Tokenizer& tokenizer) {
  const std::string_view raw = text.raw();
  if (raw.size() <= kMaxCountedBytes) return tokenizer.count(text.string());
  return extrapolate(raw,
                     [&](std::string_view piece) { return tokenizer.count(unescaped(piece)); });
}

// The tokens of `bytes` bytes at the ratio of `earlier_tokens` to `earlier_bytes`.
std::uint64_t in_proportion(std::uint64_t bytes, std::uint64_t earlier_tokens,
                            std::uint64_t earlier_bytes) {
  const double per_byte = static_cast<double>(earlier_tokens) / static_cast<double>(earlier_bytes);
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) * per_byte));
}

std::uint64_t bytes_of(const mcp::Reply& reply) {
  if (const auto* passed = std::get_if<mcp::UpstreamResult>(&reply)) {
    return passed->result.view().raw().size();
  }
  const auto* complete = std::get_if<mcp::CompleteResult>(&reply);
  if (complete == nullptr) return 0;
  if (const auto* value = std::get_if<json::Value>(&complete->object)) {
    return value->view().raw().size();
  }
  const auto* written = std::get_if<json::Output>(&complete->object);
  return written != nullptr ? written->size() : 0;
}

std::uint64_t tokens_of(const mcp::Reply& reply, const token::Tokenizer& tokenizer) {
  if (const auto* passed = std::get_if<mcp::UpstreamResult>(&reply)) {
    return estimate_result_tokens(passed->result.view(), tokenizer);
  }
  const auto* complete = std::get_if<mcp::CompleteResult>(&reply);
  if (complete == nullptr) return 0;
  if (const auto* value = std::get_if<json::Value>(&complete->object)) {
    return estimate_result_tokens(value->view(), tokenizer);
  }
  const auto* written = std::get_if<json::Output>(&complete->object);
  if (written == nullptr) return 0;
  const std::string text = written->str();
  const auto read = json::parse(text);
  return read ? estimate_result_tokens(read->root(), tokenizer) : 0;
}

}  // namespace

token::TokenCount estimate_tokens(std::string_view text, const token::Tokenizer& tokenizer) {
  if (text.size() <= kMaxCountedBytes) return tokenizer.count(text);
  return extrapolate(text, [&](std::string_view piece) { return tokenizer.count(piece); });
}

token::TokenCount estimate_result_tokens(json::View result, const token::Tokenizer& tokenizer) {
  token::TokenCount texts = 0;
  if (const auto content = result.find("content"); content && content->is_array()) {
    for (const json::View block : content->items()) {
      if (!block.is_object()) continue;
      const auto text = block.find("text");
      if (text && text->is_string()) texts += estimate_text_tokens(*text, tokenizer);
    }
  }
  const auto structured = result.find("structuredContent");
  const token::TokenCount fields = structured ? estimate_tokens(structured->raw(), tokenizer) : 0;
  return std::max(texts, fields);
}

AnswerCost measure_result(json::View result, const token::Tokenizer& tokenizer) {
  AnswerCost cost;
  cost.bytes_in = result.raw().size();
  cost.tokens_before = estimate_result_tokens(result, tokenizer);
  return cost;
}

AnswerCost estimate_result(json::View result, const AnswerCost& earlier) {
  AnswerCost cost;
  cost.bytes_in = result.raw().size();
  cost.tokens_before = in_proportion(cost.bytes_in, earlier.tokens_before, earlier.bytes_in);
  return cost;
}

void add_reply_cost(AnswerCost& cost, const mcp::Reply& reply, std::uint64_t tokens,
                    const AnswerCost* earlier, const token::Tokenizer& tokenizer) {
  cost.bytes_out = bytes_of(reply);
  if (tokens > 0) {
    cost.tokens_after = tokens;
  } else if (earlier != nullptr) {
    cost.tokens_after = in_proportion(cost.bytes_out, earlier->tokens_after, earlier->bytes_out);
  } else {
    cost.tokens_after = tokens_of(reply, tokenizer);
  }
}

}  // namespace enfold::gateway

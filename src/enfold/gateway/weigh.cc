// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/weigh.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kPieces = 8;
constexpr std::size_t kPiece = 256;

}  // namespace

token::TokenCount about_tokens(std::string_view text, const token::Tokenizer& tokenizer) {
  constexpr std::size_t kCounted = kPieces * kPiece;
  if (text.size() <= kCounted) return tokenizer.count(text);
  token::TokenCount tokens = 0;
  const std::size_t stride = (text.size() - kPiece) / (kPieces - 1);
  for (std::size_t i = 0; i < kPieces; ++i) {
    tokens += tokenizer.count(text.substr(i * stride, kPiece));
  }
  return tokens * text.size() / kCounted;
}

token::TokenCount about_tokens_of_result(json::View result, const token::Tokenizer& tokenizer) {
  token::TokenCount texts = 0;
  if (const auto content = result.find("content"); content && content->is_array()) {
    for (const json::View block : content->items()) {
      if (!block.is_object()) continue;
      const auto text = block.find("text");
      if (text && text->is_string()) texts += about_tokens(text->string(), tokenizer);
    }
  }
  const auto structured = result.find("structuredContent");
  const token::TokenCount fields = structured ? about_tokens(structured->raw(), tokenizer) : 0;
  return std::max(texts, fields);
}

}  // namespace enfold::gateway

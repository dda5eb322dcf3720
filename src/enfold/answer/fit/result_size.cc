// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/result_size.h"

namespace enfold::answer {

budget::Size size_of_result(json::View result, const token::Tokenizer& tokenizer,
                            token::CharacterUnit unit) {
  budget::Size texts;
  if (const auto content = result.find("content"); content && content->is_array()) {
    for (const json::View block : content->items()) {
      const auto text = block.is_object() ? block.find("text") : std::nullopt;
      if (text && text->is_string()) texts = sum(texts, size_of(text->string(), tokenizer, unit));
    }
  }
  const auto structured = result.find("structuredContent");
  if (!structured) return texts;
  const budget::Size fields = size_of(structured->raw(), tokenizer, unit);
  return fields.tokens > texts.tokens ? fields : texts;
}

}  // namespace enfold::answer

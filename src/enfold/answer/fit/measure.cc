// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/measure.h"

#include "enfold/answer/fit/image_size.h"
#include "enfold/base/text.h"
#include "enfold/json/document.h"
#include "enfold/model/content.h"

#include <algorithm>

namespace enfold::answer {
namespace {

using budget::Size;

// Minified JSON has none, which a search sees sooner than a count.
std::size_t line_feeds(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ++count;
  return count;
}

// The text of a text block or of a resource.
std::string inner_text(json::View block) {
  if (const auto text = model::text_of(block)) return text->string();
  const auto resource = block.find("resource");
  return resource ? json::string_member(*resource, "text").value_or("") : std::string();
}

std::size_t written_size(json::View value) {
  json::Writer writer;
  return std::move(writer.value(value)).finish().size();
}

token::TokenCount media_tokens(json::View block, json::View base64, const token::MediaCost& cost) {
  const auto resource = block.find("resource");
  const std::string type = json::string_member(resource.value_or(block), "mimeType").value_or("");
  const std::string kind = json::string_member(block, "type").value_or("");
  if (kind == "image" || type.starts_with("image/")) {
    return token::image_tokens(cost, image_size(base64.string_source()));
  }
  const bool sound = kind == "audio" || type.starts_with("audio/");
  // Nobody reads other binary data; what describes it is counted beside this.
  if (!sound) return 0;
  return token::audio_tokens_of_bytes(cost, base64.string_source().size() / 4 * 3);
}

}  // namespace

Size size_of(std::string_view text, const token::Tokenizer& tokenizer) {
  return {.tokens = tokenizer.count(text),
          .characters = utf8::length(text),
          .lines = line_feeds(text) + 1};
}

Size size_of_block(json::View block, const FitSettings& settings) {
  const auto base64 = model::binary_member(block);
  if (!base64) {
    Size size = size_of(json::to_text(block), *settings.tokenizer);
    size.lines += line_feeds(inner_text(block));
    return size;
  }
  json::Writer writer;
  model::describe(block, writer);
  Size size = size_of(std::move(writer).finish().str(), *settings.tokenizer);
  size.tokens += media_tokens(block, *base64, settings.media);
  return size;
}

Result<Size> size_of_answer(const ReadAnswer& answer, const FitSettings& settings) {
  const Result<json::Output> envelope = write_envelope(answer, settings.shape);
  if (!envelope) return tl::unexpected(envelope.error());
  Size size = size_of(envelope->str(), *settings.tokenizer);
  for (const json::Value& block : answer.reading.response.blocks) {
    size = sum(size, size_of_block(block.view(), settings));
  }
  return size;
}

Result<SizeCheck> check_size(const ReadAnswer& answer, const FitSettings& settings) {
  const budget::Budget& budget = settings.budget;
  const auto& payload = answer.reading.response.payload;
  if (payload && payload->view().is_compact() &&
      !settings.tokenizer->fits(payload->view().raw(), budget.tokens)) {
    return SizeCheck{false, {}, "token"};
  }
  const Result<json::Output> envelope = write_envelope(answer, settings.shape);
  if (!envelope) return tl::unexpected(envelope.error());
  // A character is at most four bytes.
  std::size_t bytes = envelope->size();
  for (const json::Value& block : answer.reading.response.blocks) {
    if (!model::binary_member(block.view())) bytes += written_size(block.view());
  }
  if (bytes / 4 > budget.characters) return SizeCheck{false, {}, "character"};
  const std::string text = envelope->str();
  if (!settings.tokenizer->fits(text, budget.tokens)) return SizeCheck{false, {}, "token"};
  Size size = size_of(text, *settings.tokenizer);
  for (const json::Value& block : answer.reading.response.blocks) {
    size = sum(size, size_of_block(block.view(), settings));
  }
  if (size.tokens > budget.tokens) return SizeCheck{false, {}, "token"};
  if (size.characters > budget.characters) return SizeCheck{false, {}, "character"};
  if (!budget::within(size, budget)) return SizeCheck{false, {}, "line"};
  return SizeCheck{true, size, {}};
}

}  // namespace enfold::answer

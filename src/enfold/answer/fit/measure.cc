// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/measure.h"

#include "enfold/answer/fit/cut_report.h"
#include "enfold/budget/text/media.h"
#include "enfold/json/document.h"
#include "enfold/model/content.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::answer {
namespace {

using budget::Size;

// Searching is faster than counting, because minified JSON has no line feeds.
std::size_t line_feeds(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ++count;
  return count;
}

// The text of a text block or of a resource; empty: none.
std::string inner_text(json::View block) {
  if (const auto text = model::text_of(block)) return text->string();
  const auto resource = block.find("resource");
  return resource ? json::string_member(*resource, "text").value_or("") : std::string();
}

// Bytes of the value as minified JSON.
std::size_t written_size(json::View value) {
  json::Writer writer;
  return std::move(writer.value(value)).finish().size();
}

// What an image or a sound costs the client; 0: other data.
token::TokenCount media_tokens(json::View block, json::View base64, const token::MediaCost& cost) {
  const auto resource = block.find("resource");
  const std::string type = json::string_member(resource.value_or(block), "mimeType").value_or("");
  const std::string kind = json::string_member(block, "type").value_or("");
  if (kind == "image" || type.starts_with("image/")) {
    return token::image_tokens(cost, budget::text::image_size(base64.string_source()));
  }
  const bool is_audio = kind == "audio" || type.starts_with("audio/");
  // Models do not read other binary data; its description is counted separately.
  if (!is_audio) return 0;
  return token::audio_tokens_of_bytes(cost, base64.string_source().size() / 4 * 3);
}

using budget::Budget;

constexpr std::size_t kLeastBlock = 64;  // tokens; less room is not used for a part of a text
constexpr std::size_t kNamedBlocks = 4;  // more blocks are reported as one place

/// Finds the places of blocks in the tool's result. A block that is not there gets the place of the
/// whole result.
class Places {
 public:
  /// `archived`: the result as it was archived, whose places a caller can fetch.
  explicit Places(const ArchivedAnswer& archived) : archived_(archived) {
    const auto content = archived.result->find("content");
    if (!content) return;
    for (const json::View item : content->items()) items_.push_back(item.raw().data());
  }

  [[nodiscard]] std::string of(json::View block) {
    const auto found = std::ranges::find(items_, block.raw().data());
    return place_in_result(archived_, found != items_.end()
                                          ? fmt::format("/content/{}", found - items_.begin())
                                          : std::string());
  }

 private:
  const ArchivedAnswer& archived_;
  std::vector<const char*> items_;  ///< first byte of each item of `content`
};

Budget half(Budget budget) {
  budget.tokens /= 2;
  budget.characters /= 2;
  if (budget.lines) *budget.lines /= 2;
  return budget;
}

// The room for blocks: `room`, half of the budget. If payload and envelope need less than the other
// half: all tokens that they leave, and, because only tokens are counted, 3/4 of the characters.
Budget room_beside(json::View payload, Budget room, const FitSettings& settings) {
  constexpr std::size_t envelope_tokens = 200;  // with the report of the cut, estimated
  const std::size_t payload_size = settings.tokenizer->fits(payload.raw(), room.tokens)
                                       ? settings.tokenizer->count(payload.raw())
                                       : room.tokens;
  if (payload_size + envelope_tokens < room.tokens) {
    room.tokens = settings.budget.tokens - payload_size - envelope_tokens;
    room.characters = settings.budget.characters / 4 * 3;
  }
  return room;
}

/// Takes blocks in order while there is room.
class Keeping {
 public:
  Keeping(const Budget& room, const ArchivedAnswer& archived, const FitSettings& settings)
      : room_(room),
        places_(archived),
        all_(place_in_result(archived, "/content")),
        settings_(settings) {}

  void add(const json::Value& block, const Size& size) {
    if (budget::within(sum(kept_.size, size), room_)) {
      show(block, size);
    } else if (auto part = part_of(block.view())) {
      show(std::move(part->first), part->second);
      name(block.view(), kept_.clipped);
    } else {
      ++kept_.dropped_count;
      name(block.view(), kept_.dropped);
    }
  }

  KeptBlocks take() { return std::move(kept_); }

 private:
  void show(json::Value block, const Size& size) {
    kept_.blocks.push_back(std::move(block));
    kept_.size = sum(kept_.size, size);
  }

  // Adds the place of a block to a list of the report. From the fifth on, the list names all blocks
  // together, so that it does not grow with their number.
  void name(json::View block, std::vector<std::string>& named) {
    if (named.size() == 1 && named[0] == all_) return;
    if (named.size() < kNamedBlocks) {
      named.push_back(places_.of(block));
    } else {
      named.assign(1, all_);
    }
  }

  // The beginning of a text block, if there is room for one; nullopt: no text, or no room.
  [[nodiscard]] std::optional<std::pair<json::Value, Size>> part_of(json::View block) const {
    const auto text = model::text_of(block);
    if (!text || kept_.size.tokens + kLeastBlock > room_.tokens) return std::nullopt;
    const std::string whole = text->string();
    for (std::size_t tokens = room_.tokens - kept_.size.tokens; tokens > kLeastBlock / 2;
         tokens = tokens * 3 / 4) {
      json::Writer writer;
      writer.begin_object();
      for (const json::Member& member : block.members()) {
        writer.key(member.key);
        if (member.key.equals("text")) {
          writer.string(clipped_to_tokens(whole, *settings_.tokenizer, tokens));
        } else {
          writer.value(member.value);
        }
      }
      json::Value part = std::move(writer.end_object()).finish_value();
      const Size size = size_of_block(part.view(), settings_);
      if (budget::within(sum(kept_.size, size), room_)) return std::pair(std::move(part), size);
    }
    return std::nullopt;
  }

  const Budget& room_;
  Places places_;
  const std::string all_;  ///< the place of all blocks together: that of `content`
  const FitSettings& settings_;
  KeptBlocks kept_;
};

SizeCheck exceeds(std::string_view limit) { return {.fits = false, .size = {}, .limit = limit}; }

}  // namespace

Size size_of(std::string_view text, const token::Tokenizer& tokenizer, token::CharacterUnit unit) {
  return {.tokens = tokenizer.count(text),
          .characters = token::length_in(unit, text),
          .lines = line_feeds(text) + 1};
}

Size size_of_block(json::View block, const FitSettings& settings) {
  const auto base64 = model::binary_member(block);
  if (!base64) {
    Size size = size_of(json::to_text(block), settings);
    size.lines += line_feeds(inner_text(block));  // which JSON writes as "\n"
    return size;
  }
  json::Writer writer;
  model::write_block_description(block, writer);
  Size size = size_of(std::move(writer).finish().str(), settings);
  size.tokens += media_tokens(block, *base64, settings.media);
  return size;
}

Result<Size> size_of_answer(const ReadAnswer& answer, const FitSettings& settings) {
  const Result<json::Output> envelope = write_envelope(answer, settings.shape);
  if (!envelope) return tl::unexpected(envelope.error());
  Size size = size_of(envelope->str(), settings);
  for (const json::Value& block : answer.reading.response.blocks) {
    size = sum(size, size_of_block(block.view(), settings));
  }
  return size;
}

Result<SizeCheck> check_size(const ReadAnswer& answer, const FitSettings& settings) {
  const budget::Budget budget = budget_for(answer.reading.response, settings);
  const auto& payload = answer.reading.response.payload;
  if (payload && payload->view().is_compact()) {
    const std::string_view text = payload->view().raw();
    // A client that limits characters only has a larger limit of tokens than of characters; for
    // it a long text need not be counted in tokens. A character is at most four bytes.
    const bool too_long = text.size() / 4 > budget.characters;
    if (too_long && budget.tokens > budget.characters) return exceeds("character");
    if (!settings.tokenizer->fits(text, budget.tokens)) return exceeds("token");
  }
  const Result<json::Output> envelope = write_envelope(answer, settings.shape);
  if (!envelope) return tl::unexpected(envelope.error());
  std::size_t bytes = envelope->size();
  for (const json::Value& block : answer.reading.response.blocks) {
    if (!model::binary_member(block.view())) bytes += written_size(block.view());
  }
  if (bytes / 4 > budget.characters) return exceeds("character");
  const std::string text = envelope->str();
  if (!settings.tokenizer->fits(text, budget.tokens)) return exceeds("token");
  Size size = size_of(text, settings);
  for (const json::Value& block : answer.reading.response.blocks) {
    size = sum(size, size_of_block(block.view(), settings));
  }
  if (size.tokens > budget.tokens) return exceeds("token");
  if (size.characters > budget.characters) return exceeds("character");
  if (!budget::within(size, budget)) return exceeds("line");
  return SizeCheck{.fits = true, .size = size, .limit = {}};
}

KeptBlocks keep_blocks(const std::vector<json::Value>& blocks, json::View payload,
                       const ArchivedAnswer& archived, const FitSettings& settings) {
  std::vector<Size> sizes;
  Size all;
  for (const json::Value& block : blocks) {
    sizes.push_back(size_of_block(block.view(), settings));
    all = sum(all, sizes.back());
  }
  Budget room = half(settings.budget);
  if (budget::within(all, room)) return {.blocks = blocks, .size = all};
  room = room_beside(payload, room, settings);
  Keeping keeping(room, archived, settings);
  for (std::size_t i = 0; i < blocks.size(); ++i) keeping.add(blocks[i], sizes[i]);
  return keeping.take();
}

KeptBlocks drop_blocks(std::size_t count, const ArchivedAnswer& archived) {
  return {.dropped = {place_in_result(archived, "/content")}, .dropped_count = count};
}

}  // namespace enfold::answer

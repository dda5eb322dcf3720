// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/keep_blocks.h"

#include "enfold/answer/fit/measure.h"
#include "enfold/answer/fit/trim.h"
#include "enfold/model/content.h"

#include <fmt/core.h>

namespace enfold::answer {
namespace {

using budget::Budget;
using budget::Size;

constexpr std::size_t kLeastBlock = 64;  // tokens; less of a text says nothing
constexpr std::size_t kNamedBlocks = 4;  // more are named together

/// Where blocks stand in the tool's own result. They are asked for in their order, so that all of
/// them together cost one walk.
class Places {
 public:
  explicit Places(const ArchivedAnswer& opened) : opened_(opened) {
    const auto content = opened.result->find("content");
    if (!content) return;
    for (const json::View item : content->items()) items_.push_back(item.raw().data());
  }

  [[nodiscard]] std::string of(json::View block) {
    while (next_ < items_.size() && items_[next_] != block.raw().data()) ++next_;
    return place_in_result(
        opened_, next_ < items_.size() ? fmt::format("/content/{}", next_) : std::string());
  }

 private:
  const ArchivedAnswer& opened_;
  std::vector<const char*> items_;
  std::size_t next_ = 0;
};

Budget half(Budget budget) {
  budget.tokens /= 2;
  budget.characters /= 2;
  if (budget.lines) *budget.lines /= 2;
  return budget;
}

Budget room_beside(json::View payload, Budget room, const FitSettings& settings) {
  constexpr std::size_t envelope_tokens = 200;
  const std::size_t payload_size = settings.tokenizer->fits(payload.raw(), room.tokens)
                                       ? settings.tokenizer->count(payload.raw())
                                       : room.tokens;
  if (payload_size + envelope_tokens < room.tokens) {
    room.tokens = settings.budget.tokens - payload_size - envelope_tokens;
    room.characters = settings.budget.characters / 4 * 3;
  }
  return room;
}

class Keeping {
 public:
  Keeping(const Budget& room, const ArchivedAnswer& opened, const FitSettings& settings)
      : room_(room),
        places_(opened),
        all_(place_in_result(opened, "/content")),
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

  // As the fitter's own lists: not longer because there is more.
  void name(json::View block, std::vector<std::string>& named) {
    if (named.size() == 1 && named[0] == all_) return;
    if (named.size() < kNamedBlocks) {
      named.push_back(places_.of(block));
    } else {
      named.assign(1, all_);
    }
  }

  // A text can be shown in part; of anything else a part says nothing.
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
  const std::string all_;  ///< the place of all blocks together
  const FitSettings& settings_;
  KeptBlocks kept_;
};

}  // namespace

KeptBlocks keep_blocks(const std::vector<json::Value>& blocks, json::View payload,
                       const ArchivedAnswer& opened, const FitSettings& settings) {
  std::vector<Size> sizes;
  Size all;
  for (const json::Value& block : blocks) {
    sizes.push_back(size_of_block(block.view(), settings));
    all = sum(all, sizes.back());
  }
  Budget room = half(settings.budget);
  if (budget::within(all, room)) return {.blocks = blocks, .size = all};
  room = room_beside(payload, room, settings);
  Keeping keeping(room, opened, settings);
  for (std::size_t i = 0; i < blocks.size(); ++i) keeping.add(blocks[i], sizes[i]);
  return keeping.take();
}

KeptBlocks drop_blocks(std::size_t count, const ArchivedAnswer& opened) {
  return {.dropped = {place_in_result(opened, "/content")}, .dropped_count = count};
}

}  // namespace enfold::answer

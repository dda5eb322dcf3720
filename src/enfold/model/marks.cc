// SPDX-License-Identifier: Apache-2.0
#include "enfold/model/marks.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace enfold::model {
namespace {

constexpr std::string_view kBegin = "…[+";

}  // namespace

std::string items_mark(std::size_t count) {
  return fmt::format("{}{} item{}]", kBegin, count, count == 1 ? "" : "s");
}

std::string members_mark(std::size_t count) {
  return fmt::format("+{} member{}", count, count == 1 ? "" : "s");
}

std::optional<std::size_t> marked_items(json::View item) {
  if (!item.is_string()) return std::nullopt;
  const std::string text = item.string();
  if (!text.starts_with(kBegin)) return std::nullopt;
  std::size_t count = 0;
  std::from_chars(text.data() + kBegin.size(), text.data() + text.size(), count);
  return text == items_mark(count) ? std::optional(count) : std::nullopt;
}

std::size_t records_in(json::View list) {
  const auto is_mark = [](json::View item) { return marked_items(item).has_value(); };
  return list.size() - static_cast<std::size_t>(std::ranges::count_if(list.items(), is_mark));
}

bool has_item_marks(json::View payload) {
  return payload.raw().find(kBegin) != std::string_view::npos;
}

std::size_t count_with_marks(json::View list, std::size_t from, std::size_t end) {
  std::size_t position = 0;
  std::size_t count = 0;
  for (const json::View item : list.items()) {
    if (position >= end) break;
    if (position++ >= from) count += marked_items(item).value_or(1);
  }
  return count;
}

}  // namespace enfold::model

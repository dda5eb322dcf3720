// SPDX-License-Identifier: Apache-2.0
#include "enfold/model/marks.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace enfold::model {
namespace {

constexpr std::string_view kBegin = "…[+";  // of an items_mark()

bool is_items_mark(json::View item) {
  if (!item.is_string()) return false;
  const std::string text = item.string();
  if (!text.starts_with(kBegin)) return false;
  std::size_t count = 0;
  std::from_chars(text.data() + kBegin.size(), text.data() + text.size(), count);
  return text == items_mark(count);
}

}  // namespace

std::string items_mark(std::size_t count) {
  return fmt::format("{}{} item{}]", kBegin, count, count == 1 ? "" : "s");
}

std::string members_mark(std::size_t count) {
  return fmt::format("+{} member{}", count, count == 1 ? "" : "s");
}

std::size_t count_items(json::View list) {
  return list.size() - static_cast<std::size_t>(std::ranges::count_if(list.items(), is_items_mark));
}

}  // namespace enfold::model

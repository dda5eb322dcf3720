// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/plan/plan.h"
#include "enfold/budget/render/clip.h"
#include "enfold/json/write.h"

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kKeyBytes = 96;  // of a key in the row of a member

bool is_punctuation(char c) {
  return c != ' ' && (c < '0' || c > '9') && ((c | 0x20) < 'a' || (c | 0x20) > 'z');
}

// The last bytes of a value that may form one token with what follows: quotes, brackets, "…".
std::string_view tail_of(std::string_view value) {
  constexpr std::size_t longest = 8;
  std::size_t at = value.size() - 1;
  while (at > 0 && value.size() - at < longest && is_punctuation(value[at - 1])) --at;
  while (at + 1 < value.size() && (static_cast<unsigned char>(value[at]) & 0xC0U) == 0x80U) ++at;
  return value.substr(at);
}

}  // namespace

Cost Prices::of(const Unit& unit, std::string_view shown_as) const {
  if (shown_as.size() > max_part_bytes_) return kTooMuch;
  const Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  if (group == nullptr) return counter_.of(shown_as);
  if (group->columnar) {  // units are shown whole or not at all, as table rows
    std::string row;
    char separator = '[';
    for (const auto& [key, value] : unit.value.members()) {
      row += separator;
      row += value.raw();
      separator = ',';
    }
    row += ']';
    return after_similar(/*key=*/{}, row);
  }
  return after_similar(group->value.is_object() ? unit.key.raw() : "", shown_as);
}

Cost Prices::of_whole(const Unit& unit) const {
  const auto& shortened = unit.costs[static_cast<std::size_t>(Detail::brief)];
  if (!shortened || unit.omitted.empty()) return of(unit, unit.value.raw());
  // The whole has the omitted text where the brief has marks.
  return *shortened + counter_.of(unit.omitted) - counter_.of(unit.marks);
}

// Tokens can span the comma between two values. Pricing a value after the end of a similar one
// makes the sum of prices accurate.
Cost Prices::after_similar(std::string_view key, std::string_view value) const {
  const std::string_view tail = tail_of(value);
  if (tail != last_tail_) {
    last_tail_ = tail;
    last_tail_cost_ = counter_.of(tail);
  }
  priced_ = tail;
  priced_ += ',';
  if (!key.empty()) {
    priced_ += key;
    priced_ += ':';
  }
  priced_ += value;
  return counter_.of(priced_) - last_tail_cost_;
}

std::string Prices::index_row_of(const Unit& unit, std::size_t label_width) const {
  const Group& group = outline_.groups[unit.group];
  std::string row;
  if (group.value.is_object()) {
    append_label(row, unit.key.string_source(), kKeyBytes);
    return row;
  }
  const Survey& survey = *group.survey;
  if (survey.id) {  // an id is never cut: a reader fetches the record by its id
    const auto id = survey.value(unit.value, *survey.id);
    row += id && !id->is_container() ? id->raw() : "null";
  } else {
    row += std::to_string(unit.position);
  }
  if (survey.label) {
    const auto label = survey.value(unit.value, *survey.label);
    row += ',';
    if (label && label->is_string()) {
      append_label(row, label->string_source(), label_width);
    } else {
      row += label && !label->is_container() ? label->raw() : "null";
    }
  }
  row.insert(row.begin(), '[');
  row += ']';
  return row;
}

const Cost& Prices::of_empty_index(Group& group) {
  if (!group.empty_index_cost) {
    const char* frame =
        group.value.is_object() ? ":[]," : ":{\"cols\":[\"identifier\",\"label\"],\"rows\":[]},";
    group.empty_index_cost = counter_.of(json::quote(group.pointer) + frame);
  }
  return *group.empty_index_cost;
}

Cost Prices::of_frames(std::uint32_t index) {
  Cost cost;
  for (; index != kNone && outline_.groups[index].visible == 0;
       index = outline_.groups[index].parent) {
    Group& group = outline_.groups[index];
    if (!group.frame_cost) {
      // The closing bracket is not priced, and one token is subtracted: both it and the end of
      // `open` usually merge with adjacent tokens.
      const char* open = group.value.is_object() ? ":{\"" : ":[";
      group.frame_cost = counter_.of("," + std::string(group.key.raw()) + open) - Cost{1, 0};
    }
    cost += *group.frame_cost;
  }
  return cost;
}

std::int64_t Prices::tokens(const Unit& unit) const {
  const auto& known = unit.costs[static_cast<std::size_t>(unit.shown)];
  if (known) return known->tokens;
  return unit.shown == Detail::absent ? 0 : of(unit, unit.value.raw()).tokens;
}

}  // namespace enfold::budget::detail

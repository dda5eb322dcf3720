// SPDX-License-Identifier: Apache-2.0
// What each part of an answer costs, found when first asked for and counted once.
#include "enfold/budget/plan/plan.h"
#include "enfold/budget/render/clip.h"
#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

constexpr Cost kTooMuch{std::int64_t{1} << 40, std::int64_t{1} << 40};
constexpr std::size_t kLongValue = 2'048;  // bytes that are worth an early end of counting

bool is_punctuation(char c) {
  return c != ' ' && (c < '0' || c > '9') && ((c | 0x20) < 'a' || (c | 0x20) > 'z');
}

// The last bytes of a value that can be one token with what follows it: quotes, brackets, "…".
std::string_view tail_of(std::string_view value) {
  constexpr std::size_t longest = 8;
  std::size_t at = value.size() - 1;
  while (at > 0 && value.size() - at < longest && is_punctuation(value[at - 1])) --at;
  while (at + 1 < value.size() && (static_cast<unsigned char>(value[at]) & 0xC0U) == 0x80U) ++at;
  return value.substr(at);
}

}  // namespace

Cost Plan::price(const Unit& unit, std::string_view shown_as) const {
  if (shown_as.size() > largest_) return kTooMuch;
  const Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  if (group == nullptr) return counter_.of(shown_as);
  if (group->columnar) {
    std::string row;
    char separator = '[';
    for (const auto& [key, value] : unit.value.members()) {
      row += separator;
      row += value.raw();
      separator = ',';
    }
    row += ']';
    return price_beside_others({}, row);
  }
  return price_beside_others(group->value.is_object() ? unit.key.raw() : "", shown_as);
}

// What is in the brief has been counted already, so only the rest is.
Cost Plan::price_of_whole(const Unit& unit) const {
  const auto& shortened = unit.costs[static_cast<std::size_t>(Shown::brief)];
  if (!shortened || unit.hidden.empty()) return price(unit, unit.value.raw());
  if (unit.markers > 0 && marker_cost_ == Cost{}) marker_cost_ = counter_.of("…[+400 bytes]");
  Cost cost = *shortened + counter_.of(unit.hidden);
  for (std::size_t i = 0; i < unit.markers; ++i) cost -= marker_cost_;
  return cost;
}

// Tokens reach over the comma between two values; priced behind the end of one like it, the sum of
// prices comes out right.
Cost Plan::price_beside_others(std::string_view key, std::string_view value) const {
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

bool Plan::holds_unwanted(const Unit& unit) const {
  if (unit.group == kNone || !unit.removable) return false;
  const BriefStyle& style = outline_.groups[unit.group].style;
  if (style.drop.empty()) return false;
  for (const json::Member& member : unit.value.members()) {
    if (style.drops(member.key)) return true;
  }
  return false;
}

const Cost& Plan::cost(std::uint32_t index, Shown shown) {
  Unit& unit = outline_.units[index];
  std::optional<Cost>& known = unit.costs[static_cast<std::size_t>(shown)];
  if (known) return *known;
  switch (shown) {
    case Shown::absent: known = Cost{}; break;
    case Shown::row:
      unit.row = row_of(unit, outline_.groups[unit.group].cell);
      known = price_beside_others({}, *unit.row);
      break;
    case Shown::brief: {
      const auto& shorter = brief(index);
      known = shorter ? price(unit, *shorter) : kTooMuch;
      if (shorter) remember_brief(unit, known->tokens);
      break;
    }
    case Shown::whole: known = holds_unwanted(unit) ? kTooMuch : price_of_whole(unit); break;
  }
  return *known;
}

std::string Plan::row_of(const Unit& unit, std::size_t cell) const {
  const Group& group = outline_.groups[unit.group];
  std::string row;
  if (group.value.is_object()) {
    append_label(row, unit.key.string_source(), 96);
    return row;
  }
  const auto add_cell = [&](std::optional<std::size_t> field) {
    if (!field) return;
    if (!row.empty()) row += ',';
    const json::View key = group.survey->fields[*field].key;
    const auto found =
        key.has_escapes() ? unit.value.find(key.string()) : unit.value.find(key.string_source());
    if (found && found->is_string()) {
      append_label(row, found->string_source(), cell);
    } else {
      row += found && !found->is_container() ? found->raw() : "null";
    }
  };
  if (!group.survey->id) row += std::to_string(unit.position);  // no id: the position names it
  add_cell(group.survey->id);
  add_cell(group.survey->label);
  row.insert(row.begin(), '[');
  row += ']';
  return row;
}

// Whether a value is too large without a look at its tokens: few texts have longer ones.
bool Plan::is_hopeless(std::size_t bytes, const Cost& cap) const {
  const std::int64_t rest = cap.tokens - used().tokens;
  return rest <= 0 || bytes > kLongToken * static_cast<std::size_t>(rest);
}

// Counts no further than there is room for. The payload as it is did not fit, and neither does
// what is nearly all of it.
bool Plan::whole_is_too_large(const Unit& unit, const Cost& cap) const {
  const std::string_view raw = unit.value.raw();
  if (raw.size() > outline_.payload.raw().size() / 64 * 63) return true;
  const bool shortened = unit.shown == Shown::brief && unit.brief;
  if (is_hopeless(raw.size() - (shortened ? unit.brief->size() : 0), cap)) return true;
  if (raw.size() < kLongValue) return false;
  const auto& now = unit.costs[static_cast<std::size_t>(unit.shown)];
  const std::int64_t room = cap.tokens - used().tokens + (now ? now->tokens : 0);
  return !counter_.fits(raw, static_cast<std::size_t>(room));
}

const Cost& Plan::cost_of_index(Group& group) {
  if (!group.index_cost) {
    const char* frame =
        group.value.is_object() ? ":[]," : ":{\"cols\":[\"identifier\",\"label\"],\"rows\":[]},";
    group.index_cost = counter_.of(json::quote(group.pointer) + frame);
  }
  return *group.index_cost;
}

// What the containers around a child cost that are not shown yet.
Cost Plan::cost_of_frames(std::uint32_t index) {
  Cost cost;
  for (; index != kNone && outline_.groups[index].visible == 0;
       index = outline_.groups[index].parent) {
    Group& group = outline_.groups[index];
    if (!group.frame_cost) {
      // Closing brackets are one token with those around them; so are the quotes of the first key.
      const char* open = group.value.is_object() ? ":{\"" : ":[";
      group.frame_cost = counter_.of("," + std::string(group.key.raw()) + open) - Cost{1, 0};
    }
    cost += *group.frame_cost;
  }
  return cost;
}

}  // namespace enfold::budget::detail

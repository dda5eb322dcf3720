// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/detail/plan.h"

#include "enfold/base/utf8.h"
#include "enfold/budget/detail/clip.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr Cost kTooMuch{std::int64_t{1} << 40, std::int64_t{1} << 40};
constexpr std::size_t kLineBytes = 240;  // of a text's line in an index row
constexpr int kHardlyMore = 4;           // tokens
constexpr int kLongToken = 12;           // bytes that few tokens exceed on average

// Tokens reach over the comma between two values; pricing a value together with the end of one
// like it makes the sum of prices come out right.
char end_of_neighbour(std::string_view value) {
  switch (value.front()) {
    case '{': return '}';
    case '[': return ']';
    case '"': return '"';
    default: return '1';
  }
}

}  // namespace

std::string line_row(const Line& line) {
  std::string row = fmt::format("[{},", line.number);
  append_label(row, line.source, kLineBytes);
  row += ']';
  return row;
}

Plan::Plan(Outline outline, const Policy& policy, const Counter& counter, std::size_t largest,
           bool rigid)
    : outline_(std::move(outline)),
      policy_(policy),
      counter_(counter),
      largest_(largest),
      rigid_(rigid),
      facts_(facts_of(outline_, counter)) {
  for (std::uint32_t i = 0; i < outline_.units.size(); ++i) {
    Unit& unit = outline_.units[i];
    if (unit.removable) continue;
    unit.shown = unit.value.raw().size() > 48 && brief(i) ? Shown::brief : Shown::whole;
  }
}

const std::optional<std::string>& Plan::brief(std::uint32_t index) {
  Unit& unit = outline_.units[index];
  if (unit.brief_known) return unit.brief;
  unit.brief_known = true;
  unit.brief.reset();
  const Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  if (rigid_ || (group != nullptr && group->columnar)) return unit.brief;
  const Constraint constraint = outline_.constraint(unit);
  if (unit.text != kNone) {
    if (!constraint.may_clip()) return unit.brief;
    const Text& text = outline_.texts[unit.text];
    std::string clipped;
    if (append_clipped(clipped, unit.value.string_source(), unit.clip, text.decoded)) {
      const std::size_t least = constraint.min_length();
      if (least == 0 || characters_of(clipped) >= least) unit.brief = std::move(clipped);
    }
    return unit.brief;
  }
  if (group != nullptr) {
    unit.brief = brief_of(unit.value, constraint, group->style, !unit.removable);
  } else {
    unit.brief = brief_of(unit.value, constraint, {.clip = policy_.clip}, !unit.removable);
  }
  return unit.brief;
}

Cost Plan::price(const Unit& unit, std::string_view shown_as) const {
  if (shown_as.size() > largest_) return kTooMuch;
  const Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  std::string& text = priced_;
  text = end_of_neighbour(shown_as);
  text += ',';
  if (group != nullptr && group->value.is_object()) {
    text += unit.key.raw();
    text += ':';
  }
  if (group != nullptr && group->columnar) {
    text += '[';
    for (const auto& [key, value] : unit.value.members()) {
      text += value.raw();
      text += ',';
    }
    text.back() = ']';
  } else {
    text += shown_as;
  }
  return counter_.of(text) - Cost{1, 1};
}

bool Plan::holds_unwanted(const Unit& unit) const {
  if (unit.group == kNone || !unit.removable) return false;
  const std::vector<std::string>& names = outline_.groups[unit.group].style.drop;
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return unit.value.find(name).has_value(); });
}

const Cost& Plan::cost(std::uint32_t index, Shown shown) {
  Unit& unit = outline_.units[index];
  std::optional<Cost>& known = unit.costs[static_cast<std::size_t>(shown)];
  if (known) return *known;
  switch (shown) {
    case Shown::absent: known = Cost{}; break;
    case Shown::row:
      unit.row = row_of(unit, outline_.groups[unit.group].cell);
      known = price_of_row(outline_.groups[unit.group], *unit.row);
      break;
    case Shown::brief: {
      const auto& shorter = brief(index);
      known = shorter ? price(unit, *shorter) : kTooMuch;
      break;
    }
    case Shown::whole:
      known = holds_unwanted(unit) ? kTooMuch : price(unit, unit.value.raw());
      break;
  }
  return *known;
}

Cost Plan::price_of_row(const Group& group, std::string_view row) const {
  priced_ = group.value.is_object() ? "\"," : "],";
  priced_ += row;
  return counter_.of(priced_) - Cost{1, 1};
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
    const auto found = unit.value.find(group.survey->fields[*field].key.string());
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

bool Plan::raise(std::uint32_t index, Shown shown, const Cost& cap) {
  Unit& unit = outline_.units[index];
  Cost delta = cost(index, shown) - cost(index, unit.shown);
  Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  if (shown == Shown::row && group->rows == 0) {
    delta += counter_.of(fmt::format("{}:{{\"cols\":[\"identifier\",\"label\"],\"rows\":[]}},",
                                     json::quote(group->pointer)));
  }
  if (!(spent_ + delta).within(cap)) return false;
  spent_ += delta;
  log_.push_back({What::unit, index, 0, unit.shown, unit.clip, delta});
  if (group != nullptr) {
    if (shown == Shown::row) ++group->rows;
    if (unit.shown == Shown::row) --group->rows;
  }
  unit.shown = shown;
  return true;
}

// The whole where it costs hardly more than the brief.
bool Plan::raise_either(std::uint32_t index, const Cost& cap) {
  const Unit& unit = outline_.units[index];
  if (unit.shown >= Shown::brief) return true;
  if (!brief(index)) return raise(index, Shown::whole, cap);
  // A token is rarely longer than this, so a larger difference need not be counted.
  if (unit.value.raw().size() <= unit.brief->size() + kHardlyMore * kLongToken &&
      cost(index, Shown::whole).tokens <= cost(index, Shown::brief).tokens + kHardlyMore &&
      raise(index, Shown::whole, cap)) {
    return true;
  }
  return raise(index, Shown::brief, cap);
}

bool Plan::show_line(std::uint32_t text_index, std::uint32_t line, const Cost& cap) {
  Text& text = outline_.texts[text_index];
  if (text.line_shown[line] != 0) return true;
  if (!text.line_costs[line]) {
    text.line_costs[line] = counter_.of("]," + line_row(text.lines[line])) - Cost{1, 1};
  }
  Cost delta = *text.line_costs[line];
  if (text.rows == 0) {
    delta += counter_.of(fmt::format("{}:{{\"cols\":[\"line\",\"text\"],\"rows\":[]}},",
                                     json::quote(outline_.pointer(outline_.units[text.unit]))));
  }
  if (!(spent_ + delta).within(cap)) return false;
  spent_ += delta;
  log_.push_back({What::line, text_index, line, Shown::absent, 0, delta});
  text.line_shown[line] = 1;
  ++text.rows;
  return true;
}

// Gives a clipped text what is left up to the cap.
bool Plan::lengthen(std::uint32_t index, const Cost& cap) {
  Unit& unit = outline_.units[index];
  const Cost rest = cap - spent_;
  if (rest.tokens < 4 || rest.characters < 16) return false;
  const std::string_view source = unit.value.string_source();
  const std::string_view hidden = source.substr(std::min(unit.clip, source.size()));
  const auto most = static_cast<std::size_t>(rest.characters);
  // Characters are at most four bytes; the exact number is checked below by price.
  const std::string_view near =
      hidden.substr(0, safe_cut(hidden, std::min(hidden.size(), 4 * most)));
  std::size_t more = counter_.prefix(near, static_cast<std::size_t>(rest.tokens));
  while (more > 0 && utf8::length(hidden.substr(0, more)) > most) more = more * 7 / 8;
  const std::size_t clip_before = unit.clip;
  const std::optional<std::string> brief_before = unit.brief;
  const Cost cost_before = cost(index, Shown::brief);
  for (int tries = 0; tries < 4 && more > 16; ++tries, more = more * 15 / 16) {
    unit.clip = clip_before + more;
    unit.brief_known = false;
    unit.costs[static_cast<std::size_t>(Shown::brief)].reset();
    const Cost delta = cost(index, Shown::brief) - cost_before;
    if (!unit.brief || !(spent_ + delta).within(cap)) continue;
    spent_ += delta;
    log_.push_back({What::unit, index, 0, unit.shown, clip_before, delta});
    return true;
  }
  unit.clip = clip_before;
  unit.brief = brief_before;
  unit.brief_known = true;
  unit.costs[static_cast<std::size_t>(Shown::brief)] = cost_before;
  return false;
}

void Plan::undo(const Step& step) {
  spent_ -= step.delta;
  switch (step.what) {
    case What::fact: facts_[step.index].shown = false; return;
    case What::line:
      outline_.texts[step.index].line_shown[step.line] = 0;
      --outline_.texts[step.index].rows;
      return;
    case What::unit: {
      Unit& unit = outline_.units[step.index];
      if (unit.group != kNone) {
        Group& group = outline_.groups[unit.group];
        if (unit.shown == Shown::row) --group.rows;
        if (step.before == Shown::row) ++group.rows;
      }
      unit.shown = step.before;
      if (unit.clip != step.clip_before) {
        unit.clip = step.clip_before;
        unit.brief_known = false;
        unit.costs[static_cast<std::size_t>(Shown::brief)].reset();
        static_cast<void>(brief(step.index));
      }
      return;
    }
  }
}

void Plan::undo_to(std::size_t steps) {
  while (log_.size() > steps) {
    undo(log_.back());
    log_.pop_back();
  }
}

bool Plan::free(const Cost& amount) {
  const Cost target = spent_ - amount;
  while (!spent_.within(target)) {
    if (log_.empty()) return false;
    undo_to(log_.size() - 1);
  }
  return true;
}

bool Plan::is_visible(const Group& group) const {
  if (!group.removable) return true;
  return std::any_of(group.children.begin(), group.children.end(), [&](const Child& child) {
    return child.is_group ? is_visible(outline_.groups[child.index])
                          : outline_.units[child.index].shown >= Shown::brief;
  });
}

bool Plan::shows_data() const {
  if (lost_protected_) return false;
  bool any_list = false;
  bool any_item = false;
  bool any_unit = false;
  for (const Group& group : outline_.groups) {
    const bool shown = std::any_of(group.order.begin(), group.order.end(), [&](std::uint32_t unit) {
      return outline_.units[unit].shown >= Shown::brief;
    });
    any_unit = any_unit || shown;
    any_list = any_list || group.is_list();
    any_item = any_item || (group.is_list() && shown);
  }
  if (outline_.groups.empty()) return outline_.units[0].shown >= Shown::brief;
  return any_list ? any_item : any_unit;
}

std::int64_t Plan::tokens(const Unit& unit) const {
  const auto& known = unit.costs[static_cast<std::size_t>(unit.shown)];
  return known                         ? known->tokens
         : unit.shown == Shown::absent ? 0
                                       : price(unit, unit.value.raw()).tokens;
}

}  // namespace enfold::budget::detail

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

// Tokens reach over the comma between two values; pricing a value together with the end of one
// like it makes the sum of prices come out right.
std::string_view end_of_neighbour(View value) {
  switch (value.kind()) {
    case json::Kind::object: return "}";
    case json::Kind::array: return "]";
    case json::Kind::string: return "\"";
    default: return "1";
  }
}

}  // namespace

json::Value line_row(const Line& line) {
  json::Writer writer;
  writer.begin_array()
      .integer(static_cast<std::int64_t>(line.number))
      .value(label(line.source, kLineBytes))
      .end_array();
  return std::move(writer).finish_value();
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

const std::optional<json::Value>& Plan::brief(std::uint32_t index) {
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
    unit.brief = clip(unit.value, unit.clip, text.decoded);
    if (unit.brief && utf8::length(unit.brief->view().string()) < constraint.min_length()) {
      unit.brief.reset();
    }
    return unit.brief;
  }
  BriefStyle style = group != nullptr ? group->style : BriefStyle{.clip = policy_.clip};
  unit.brief = brief_of(unit.value, constraint, style, !unit.removable);
  return unit.brief;
}

Cost Plan::price(const Unit& unit, View shown_as) const {
  if (shown_as.raw().size() > largest_) return kTooMuch;
  const Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  std::string text(end_of_neighbour(shown_as));
  text += ',';
  if (group != nullptr && group->value.is_object()) {
    text += unit.key.raw();
    text += ':';
  }
  if (group != nullptr && group->columnar) {
    text += '[';
    for (const auto& [key, value] : shown_as.members()) {
      text += value.raw();
      text += ',';
    }
    text.back() = ']';
  } else {
    text += shown_as.raw();
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
      known = price_of_row(outline_.groups[unit.group], unit.row->view());
      break;
    case Shown::brief: {
      const auto& shorter = brief(index);
      known = shorter ? price(unit, shorter->view()) : kTooMuch;
      break;
    }
    case Shown::whole: known = holds_unwanted(unit) ? kTooMuch : price(unit, unit.value); break;
  }
  return *known;
}

Cost Plan::price_of_row(const Group& group, View value) const {
  const char* before = group.value.is_object() ? "\"," : "],";
  return counter_.of(before + std::string(value.raw())) - Cost{1, 1};
}

json::Value Plan::row_of(const Unit& unit, std::size_t cell) const {
  const Group& group = outline_.groups[unit.group];
  json::Writer writer;
  if (group.value.is_object()) {
    writer.value(label(unit.key.string_source(), 96));
    return std::move(writer).finish_value();
  }
  writer.begin_array();
  const auto cell_of = [&](std::optional<std::size_t> field) {
    if (!field) return;
    const auto found = unit.value.find(group.survey->fields[*field].key.string());
    if (found && found->is_string()) {
      writer.value(label(found->string_source(), cell));
    } else if (found && !found->is_container()) {
      writer.value(*found);
    } else {
      writer.null();
    }
  };
  if (!group.survey->id) writer.integer(unit.position);  // no id: the position names it
  cell_of(group.survey->id);
  cell_of(group.survey->label);
  writer.end_array();
  return std::move(writer).finish_value();
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
  if (unit.value.raw().size() < 4 * unit.brief->view().raw().size() &&
      cost(index, Shown::whole).tokens <= cost(index, Shown::brief).tokens + 4 &&
      raise(index, Shown::whole, cap)) {
    return true;
  }
  return raise(index, Shown::brief, cap);
}

bool Plan::show_line(std::uint32_t text_index, std::uint32_t line, const Cost& cap) {
  Text& text = outline_.texts[text_index];
  if (text.line_shown[line] != 0) return true;
  if (!text.line_costs[line]) {
    text.line_costs[line] =
        counter_.of("]," + std::string(line_row(text.lines[line]).view().raw())) - Cost{1, 1};
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
  const std::optional<json::Value> brief_before = unit.brief;
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
  return known ? known->tokens : unit.shown == Shown::absent ? 0 : price(unit, unit.value).tokens;
}

}  // namespace enfold::budget::detail

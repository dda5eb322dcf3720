// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/plan/plan.h"

#include "enfold/budget/render/clip.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

constexpr int kHardlyMore = 4;  // tokens; a unit is shown whole if that costs only so many more
constexpr std::size_t kEnoughBriefs = 3;   // priced briefs (see briefs_like) that predict the rest
constexpr std::size_t kLongValue = 2'048;  // bytes from which counting up to a limit pays off
constexpr std::size_t kShortValue = 48;    // bytes; required values up to this are shown whole
constexpr Cost kLeastRoom{4, 16};          // a text is not lengthened if less is left
constexpr std::size_t kLeastGain = 16;     // bytes; a text is not lengthened by less

// The units whose pointer matches a pattern. Units inside a container that matches count too: the
// container was opened, so it is shown by its units.
std::vector<std::uint32_t> units_matching(const Outline& outline,
                                          const std::vector<std::string>& patterns) {
  std::vector<std::uint32_t> units;
  for (std::uint32_t i = 0; !patterns.empty() && i < outline.units.size(); ++i) {
    const std::string pointer = outline.pointer(outline.units[i]);
    const bool matched = std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
      return matches(pattern, pointer, /*or_below=*/true);
    });
    if (matched && !outline.units[i].is_opened) units.push_back(i);
  }
  return units;
}

// Called when a child of the group is shown: the containers around it become visible too.
void mark_visible(Outline& outline, std::uint32_t index) {
  for (; index != kNone; index = outline.groups[index].parent) {
    if (outline.groups[index].visible++ > 0) return;
  }
}

void unmark_visible(Outline& outline, std::uint32_t index) {
  for (; index != kNone; index = outline.groups[index].parent) {
    if (--outline.groups[index].visible > 0) return;
  }
}

// Whether the unit has a member that the policy drops, and the schema lets the unit be absent: then
// it is not shown whole.
bool holds_unwanted(const Outline& outline, const Unit& unit) {
  if (unit.group == kNone || !unit.removable) return false;
  const BriefStyle& style = outline.groups[unit.group].style;
  if (style.drop.empty()) return false;
  for (const json::Member& member : unit.value.members()) {
    if (style.drops(member.key)) return true;
  }
  return false;
}

}  // namespace

std::string line_row(const text::Row& row) { return fmt::format("[{},{}]", row.line, row.cells); }

Plan::Plan(Outline outline, const Policy& policy, const Counter& counter,
           std::size_t max_part_bytes, bool whole_only)
    : outline_(std::move(outline)),
      policy_(policy),
      counter_(counter),
      max_part_bytes_(max_part_bytes),
      whole_only_(whole_only),
      protected_(units_matching(outline_, policy.protect)),
      kept_(units_matching(outline_, policy.keep)),
      facts_(facts_of(outline_, counter)),
      prices_(outline_, counter, max_part_bytes) {
  for (std::uint32_t i = 0; i < outline_.units.size(); ++i) {
    Unit& unit = outline_.units[i];
    if (unit.removable || unit.is_opened) continue;
    unit.shown = unit.value.raw().size() > kShortValue && brief(i) ? Detail::brief : Detail::whole;
    mark_visible(outline_, unit.group);
  }
  for (std::uint32_t i = 0; i < outline_.groups.size(); ++i) {
    if (!outline_.groups[i].removable) mark_visible(outline_, i);
  }
}

const std::optional<std::string>& Plan::brief(std::uint32_t index) {
  Unit& unit = outline_.units[index];
  if (unit.brief_known) return unit.brief;
  unit.brief_known = true;
  unit.brief.reset();
  const Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  const bool is_closed_payload = group == nullptr && unit.value.is_container();
  // A list that is shown as a table (`columnar`) shows its items whole or not at all.
  if (whole_only_ || is_closed_payload || (group != nullptr && group->columnar)) return unit.brief;
  const Constraint constraint = outline_.constraint(unit);
  if (unit.text != kNone) {
    if (!constraint.may_clip()) return unit.brief;
    const Text& text = outline_.texts[unit.text];
    std::string clipped;
    const TextSize whole{text.digest.bytes, text.digest.lines};
    if (append_clipped(clipped, unit.value.string_source(), unit.clip, whole)) {
      const std::size_t least = constraint.min_length();
      if (least == 0 || characters_of(clipped) >= least) unit.brief = std::move(clipped);
    }
    return unit.brief;
  }
  auto form = group != nullptr
                  ? brief_of(unit.value, constraint, group->style, !unit.removable)
                  : brief_of(unit.value, constraint, {.clip = policy_.clip}, !unit.removable);
  if (form) {
    unit.brief = std::move(form->text);
    unit.omitted = std::move(form->omitted);
    unit.marks = std::move(form->marks);
    unit.missing_parts = form->missing_parts;
    unit.unmarked = form->unmarked;
  }
  return unit.brief;
}

const Cost& Plan::cost(std::uint32_t index, Detail shown) {
  Unit& unit = outline_.units[index];
  std::optional<Cost>& known = unit.costs[static_cast<std::size_t>(shown)];
  if (known) return *known;
  switch (shown) {
    case Detail::absent: known = Cost{}; break;
    case Detail::index_row:
      unit.row = prices_.index_row_of(unit, outline_.groups[unit.group].label_width);
      known = prices_.after_similar(/*key=*/{}, *unit.row);
      break;
    case Detail::brief: {
      const auto& shorter = brief(index);
      known = shorter ? prices_.of(unit, *shorter) : kTooMuch;
      if (shorter) remember_brief(unit, known->tokens);
      break;
    }
    case Detail::whole:
      known = holds_unwanted(outline_, unit) ? kTooMuch : prices_.of_whole(unit);
      break;
  }
  return *known;
}

// Counts no further than there is room for. The whole payload did not fit, so a value that has more
// than 63/64 of its bytes is taken not to fit either.
bool Plan::whole_is_too_large(const Unit& unit, const Cost& cap) const {
  if (unit.never_whole) return true;
  const std::string_view raw = unit.value.raw();
  const std::size_t all = outline_.payload.raw().size();
  if (raw.size() > all - all / 64) return true;
  const bool shortened = unit.shown == Detail::brief && unit.brief;
  // A brief with a note of what is missing may be longer than the value.
  const std::size_t more = raw.size() - (shortened ? std::min(unit.brief->size(), raw.size()) : 0);
  const std::int64_t rest = cap.tokens - used().tokens;
  if (rest <= 0 || more > kLongToken * static_cast<std::size_t>(rest)) return true;
  if (raw.size() < kLongValue) return false;
  const auto& now = unit.costs[static_cast<std::size_t>(unit.shown)];
  return !counter_.fits(raw, static_cast<std::size_t>(rest + (now ? now->tokens : 0)));
}

bool Plan::show_as(std::uint32_t index, Detail shown, const Cost& cap) {
  Unit& unit = outline_.units[index];
  if (used().tokens >= cap.tokens) return false;
  if (shown == Detail::whole && !unit.costs[static_cast<std::size_t>(shown)] &&
      whole_is_too_large(unit, cap)) {
    return false;
  }
  Cost delta = cost(index, shown) - cost(index, unit.shown);
  Group* group = unit.group == kNone ? nullptr : &outline_.groups[unit.group];
  if (shown == Detail::index_row && group->rows == 0) delta += prices_.of_empty_index(*group);
  if (unit.shown == Detail::index_row && group->rows == 1) delta -= prices_.of_empty_index(*group);
  const bool appears = shown >= Detail::brief && unit.shown < Detail::brief;
  if (appears) delta += prices_.of_frames(unit.group);
  // PlanFiller has reserved room for a row of the index for each absent unit of this group. A unit
  // that is shown needs that room no more.
  const bool has_reserved_row =
      group != nullptr && group->reserved_rows > 0 && unit.shown == Detail::absent;
  if (!(used() + delta - (has_reserved_row ? group->row_cost : Cost{})).within(cap)) return false;
  if (has_reserved_row) {
    --group->reserved_rows;
    reserved_ -= group->row_cost;
  }
  spent_ += delta;
  log_step({.what = What::unit,
            .index = index,
            .before = unit.shown,
            .clip_before = unit.clip,
            .delta = delta});
  if (appears) mark_visible(outline_, unit.group);
  if (group != nullptr) {
    if (shown == Detail::index_row) ++group->rows;
    if (unit.shown == Detail::index_row) --group->rows;
  }
  unit.shown = shown;
  return true;
}

// Statistics are kept per list, and once for all members of objects.
Plan::Briefs& Plan::briefs_like(const Unit& unit) {
  const bool in_list = unit.group != kNone && outline_.groups[unit.group].is_list();
  if (briefs_.empty()) briefs_.resize(1 + outline_.groups.size());
  return briefs_[in_list ? 1 + unit.group : 0];
}

void Plan::remember_brief(const Unit& unit, std::int64_t tokens) {
  Briefs& briefs = briefs_like(unit);
  briefs.least = briefs.seen == 0 ? tokens : std::min(briefs.least, tokens);
  ++briefs.seen;
}

bool Plan::show_whole_or_brief(std::uint32_t index, const Cost& cap) {
  const Unit& unit = outline_.units[index];
  if (unit.shown >= Detail::brief) return true;
  const std::int64_t rest = cap.tokens - used().tokens;
  if (rest <= 0) return false;
  if (!unit.brief_known) {
    const Briefs& briefs = briefs_like(unit);
    // Not worth making: the room is less than 3/4 of the cheapest brief so far.
    if (briefs.seen >= kEnoughBriefs && rest * 4 < briefs.least * 3) return false;
  }
  if (!brief(index)) return show_as(index, Detail::whole, cap);
  if (unit.value.raw().size() <= unit.brief->size() + kHardlyMore * kLongToken &&
      cost(index, Detail::whole).tokens <= cost(index, Detail::brief).tokens + kHardlyMore &&
      show_as(index, Detail::whole, cap)) {
    return true;
  }
  return show_as(index, Detail::brief, cap);
}

bool Plan::show_line(std::uint32_t text_index, std::uint32_t line, const Cost& cap) {
  Text& text = outline_.texts[text_index];
  if (text.row_shown[line] != 0) return true;
  if (!text.row_costs[line]) {
    text.row_costs[line] = prices_.after_similar(/*key=*/{}, line_row(text.digest.rows[line]));
  }
  Cost delta = *text.row_costs[line];
  if (text.rows == 0) {
    std::string frame = json::quote(outline_.pointer(outline_.units[text.unit]));
    frame += ":{\"cols\":[\"line\"";
    for (const std::string& column : text.digest.columns) frame += "," + json::quote(column);
    delta += counter_.of(frame + "],\"rows\":[],\"more\":12345},");
  }
  if (!(used() + delta).within(cap)) return false;
  spent_ += delta;
  log_step({.what = What::line, .index = text_index, .line = line, .delta = delta});
  text.row_shown[line] = 1;
  ++text.rows;
  return true;
}

// Extends a clipped text up to the cap. The tokenizer finds the new end by counting, so the text is
// not counted a second time.
bool Plan::lengthen(std::uint32_t index, std::size_t most_bytes, const Cost& cap) {
  Unit& unit = outline_.units[index];
  const Cost rest = cap - used();
  if (rest.tokens < kLeastRoom.tokens || rest.characters < kLeastRoom.characters) return false;
  const std::string_view source = unit.value.string_source();
  const std::size_t now = unit.brief->rfind(kMarker) - 1;  // bytes of the source that are shown
  if (now >= std::min(most_bytes, source.size())) return false;
  const std::string_view hidden = source.substr(now, most_bytes - now);
  const auto most = static_cast<std::size_t>(rest.characters);
  // Characters are at most four bytes.
  const std::string_view near =
      hidden.substr(0, safe_cut(hidden, std::min({hidden.size(), 4 * most, max_part_bytes_})));
  std::size_t more = counter_.prefix(near, static_cast<std::size_t>(rest.tokens));
  const bool all_used = more < near.size() && utf8::length(hidden.substr(0, more)) <= most;
  while (more > 0 && utf8::length(hidden.substr(0, more)) > most) more = more * 7 / 8;
  if (more <= kLeastGain) return false;
  const Cost cost_before = cost(index, Detail::brief);
  const std::size_t clip_before = std::exchange(unit.clip, now + more);
  std::optional<std::string> brief_before = std::move(unit.brief);
  unit.brief_known = false;
  if (!brief(index) || unit.brief->size() < brief_before->size() + kLeastGain) {
    unit.clip = clip_before;
    unit.brief = std::move(brief_before);
    unit.brief_known = true;
    return false;
  }
  const std::size_t end = unit.brief->rfind(kMarker) - 1;
  const std::string_view added = source.substr(now, end - now);
  // Clipping at a line end may have used less than `more`.
  const std::string_view unused = hidden.substr(added.size(), more - std::min(more, added.size()));
  const Cost delta{all_used ? rest.tokens - counter_.tokens(unused) : counter_.tokens(added),
                   static_cast<std::int64_t>(utf8::length(added))};
  spent_ += delta;
  unit.costs[static_cast<std::size_t>(Detail::brief)] = cost_before + delta;
  log_step({.what = What::unit,
            .index = index,
            .before = unit.shown,
            .clip_before = clip_before,
            .delta = delta});
  return true;
}

void Plan::undo(const Step& step) {
  ++revision_;
  spent_ -= step.delta;
  switch (step.what) {
    case What::fact: facts_[step.index].shown = false; return;
    case What::line:
      outline_.texts[step.index].row_shown[step.line] = 0;
      --outline_.texts[step.index].rows;
      return;
    case What::unit: {
      Unit& unit = outline_.units[step.index];
      if (unit.group != kNone) {
        Group& group = outline_.groups[unit.group];
        if (unit.shown == Detail::index_row) --group.rows;
        if (step.before == Detail::index_row) ++group.rows;
        if (unit.shown >= Detail::brief && step.before < Detail::brief)
          unmark_visible(outline_, unit.group);
      }
      unit.shown = step.before;
      if (unit.clip != step.clip_before) {
        unit.clip = step.clip_before;
        unit.brief_known = false;
        unit.costs[static_cast<std::size_t>(Detail::brief)].reset();
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

bool Plan::undo_until_free(const Cost& amount) {
  const Cost target = spent_ - amount;
  while (!spent_.within(target)) {
    if (log_.empty()) return false;
    undo_to(log_.size() - 1);
  }
  return true;
}

bool Plan::shows_data() const {
  // Protected units are sufficient: the caller needs them and nothing else.
  if (!protected_.empty()) {
    return std::all_of(protected_.begin(), protected_.end(), [&](std::uint32_t unit) {
      return outline_.units[unit].shown == Detail::whole;
    });
  }
  bool any_list = false;
  bool any_item = false;
  bool any_unit = false;
  // A required container is visible even if none of its children is.
  const auto shows = [&](const Group& group) {
    return std::any_of(group.children.begin(), group.children.end(), [&](const Child& child) {
      return child.is_group ? outline_.groups[child.index].visible > 0
                            : outline_.units[child.index].shown >= Detail::brief;
    });
  };
  for (const Group& group : outline_.groups) {
    const bool shown = shows(group);
    any_unit = any_unit || shown;
    any_list = any_list || group.is_list();
    any_item = any_item || (group.is_list() && shown);
  }
  if (outline_.groups.empty()) return outline_.units[0].shown >= Detail::brief;
  return any_list ? any_item : any_unit;
}

}  // namespace enfold::budget::detail

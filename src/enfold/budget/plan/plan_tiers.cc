// SPDX-License-Identifier: Apache-2.0
// The order of worth: facts, first items, exceptions, one row for every item, briefs, whole items,
// and what is left to long texts. Each tier goes on where it stopped when it is given more room.
#include "enfold/budget/plan/plan.h"
#include "enfold/budget/render/clip.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace enfold::budget::detail {
namespace {

constexpr int kFirst = 3;
constexpr int kMisses = 8;  // in a row, then the rest is too large as well
constexpr std::size_t kCells[] = {96, 64, 40, 24};
constexpr std::size_t kSampledRows = 8;
constexpr std::size_t kRowFrame = 24;  // bytes of a row beside its label

}  // namespace

void Plan::fill(const Cost& room) {
  room_ = room;
  show_protected();
  show_small();
  show_facts(3, 25);
  show_first();
  show_texts();
  show_exceptional();
  show_rows(1, 2);
  fairly([&](Group& group, const Cost& cap) { show_briefs(group, cap); });
  fairly([&](Group& group, const Cost& cap) { show_whole(group, cap); });
  lengthen_texts();
  release_rows();
  show_rows(1, 1);
}

void Plan::fill_least(const Cost& room) {
  room_ = room;
  show_protected();
  for (const bool lists : {true, false}) {
    for (const Group& group : outline_.groups) {
      int misses = 0;
      for (const std::uint32_t unit : group.order) {
        if (group.is_list() != lists || misses == kMisses || shows_data()) break;
        if (!outline_.units[unit].unwanted && !raise_either(unit, room_)) ++misses;
      }
    }
  }
}

void Plan::fill_facts(const Cost& room) {
  room_ = room;
  show_facts(1, 1);
}

Cost Plan::part_of_rest(std::int64_t part, std::int64_t of) const {
  const Cost rest = room_ - used();
  return used() +
         Cost{std::max<std::int64_t>(rest.tokens, 0), std::max<std::int64_t>(rest.characters, 0)}
             .share(part, of);
}

// Each group may use its share of the rest first; then all that is left is for the taking.
void Plan::fairly(const std::function<void(Group&, const Cost&)>& give) {
  std::int64_t left = static_cast<std::int64_t>(outline_.groups.size());
  if (left > 1) {
    for (Group& group : outline_.groups) give(group, part_of_rest(1, left--));
  }
  for (Group& group : outline_.groups) give(group, room_);
}

void Plan::show_protected() {
  for (const auto* units : {&protected_, &kept_}) {
    for (const std::uint32_t unit : *units) {
      if (outline_.units[unit].shown != Shown::whole) raise(unit, Shown::whole, room_);
    }
  }
}

// Short scalars beside the lists: names, totals, flags.
void Plan::show_small() {
  const Cost cap = part_of_rest(1, 2);
  for (std::uint32_t i = 0; i < outline_.units.size(); ++i) {
    const Unit& unit = outline_.units[i];
    if (unit.shown == Shown::whole || unit.group == kNone || unit.unwanted) continue;
    if (!outline_.groups[unit.group].value.is_object() || unit.value.raw().size() > 96) continue;
    raise(i, Shown::whole, cap);
  }
}

void Plan::show_facts(std::int64_t part, std::int64_t of) {
  const Cost cap = part_of_rest(part, of);
  for (std::uint32_t i = 0; i < facts_.size(); ++i) {
    Fact& fact = facts_[i];
    if (fact.shown || !(used() + fact.cost).within(cap)) continue;
    fact.shown = true;
    spent_ += fact.cost;
    log_step({What::fact, i, 0, Shown::absent, 0, fact.cost});
  }
}

void Plan::show_first() {
  const Cost cap = part_of_rest(1, 2);
  for (Group& group : outline_.groups) {
    if (!group.is_list()) continue;
    int seen = 0;
    for (const std::uint32_t unit : group.order) {
      if (seen++ == kFirst) break;
      if (outline_.units[unit].shown >= Shown::brief) continue;
      const bool cheap = cost(unit, Shown::whole).within(room_.share(1, 10));
      if (!(cheap && raise(unit, Shown::whole, cap)) && !raise_either(unit, cap)) {
        // Better one large item than none.
        if (seen == 1) raise_either(unit, room_);
      }
    }
  }
}

void Plan::show_texts() {
  const Cost cap = part_of_rest(1, 2);
  for (const Text& text : outline_.texts) {
    Unit& unit = outline_.units[text.unit];
    if (unit.shown >= Shown::brief || unit.unwanted || rigid_) continue;
    raise_either(text.unit, cap);
  }
}

void Plan::show_exceptional() {
  const Cost cap = part_of_rest(1, 3);
  for (Group& group : outline_.groups) {
    if (!group.is_list() || group.count < 12) continue;
    if (group.last != kNone) raise_either(group.last, cap);
    int misses = 0;
    for (const std::uint32_t unit : group.exceptional) {
      if (misses == kMisses / 2) break;
      if (!raise_either(unit, cap)) ++misses;
    }
  }
}

// The widest label that lets every item have its row. Rows are sampled with the widest; what
// narrower ones cost is taken to shrink with their bytes.
void Plan::choose_cell(Group& group, const Cost& cap) {
  if (group.cell != 0) return;
  group.cell = kCells[0];
  if (!group.survey->label || group.order.empty()) return;
  const std::size_t step = std::max<std::size_t>(1, group.order.size() / kSampledRows);
  Cost sum;
  std::int64_t seen = 0;
  std::array<std::int64_t, std::size(kCells)> bytes{};
  for (std::size_t i = 0; i < group.order.size(); i += step, ++seen) {
    const std::string row = row_of(outline_.units[group.order[i]], kCells[0]);
    sum += price_beside_others({}, row);
    for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
      bytes[cell] += static_cast<std::int64_t>(std::min(row.size(), kCells[cell] + kRowFrame));
    }
  }
  for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
    group.cell = kCells[cell];
    const Cost all = sum.share(static_cast<std::int64_t>(group.count), seen);
    if ((used() + all.share(bytes[cell], bytes[0])).within(cap)) {
      group.row = sum.share(bytes[cell], bytes[0] * seen) + Cost{1, 1};  // rounded up
      break;
    }
  }
}

// Most rows give way to more of their item, so they are only made when it is known which stay.
bool Plan::reserve_rows(Group& group, const Cost& cap) {
  if (group.row == Cost{} || group.rows > 0) return false;
  const auto absent = std::count_if(
      group.order.begin(), group.order.end(),
      [&](std::uint32_t unit) { return outline_.units[unit].shown == Shown::absent; });
  const Cost all =
      cost_of_index(group) + Cost{group.row.tokens * absent, group.row.characters * absent};
  if (!(used() + all).within(cap)) return false;
  reserved_ += all;
  group.reserved_rows = static_cast<std::size_t>(absent);
  return true;
}

void Plan::release_rows() {
  reserved_ = {};
  for (Group& group : outline_.groups) group.reserved_rows = 0;
}

void Plan::show_rows(std::int64_t part, std::int64_t of) {
  const Cost cap = part_of_rest(part, of);
  for (std::uint32_t i = 0; i < outline_.texts.size(); ++i) {
    for (std::uint32_t line = 0; line < outline_.texts[i].lines.size(); ++line) {
      if (!show_line(i, line, cap)) break;
    }
  }
  for (Group& group : outline_.groups) {
    const bool named =
        group.is_list() ? group.survey->id || group.survey->label : group.value.is_object();
    if (!named) continue;
    if (group.is_list()) choose_cell(group, cap);
    if (of > 1 && reserve_rows(group, cap)) continue;
    for (const std::uint32_t unit : group.order) {
      if (outline_.units[unit].shown != Shown::absent) continue;
      if (!raise(unit, Shown::row, cap)) break;
    }
  }
}

void Plan::show_briefs(Group& group, const Cost& cap) {
  int misses = 0;
  for (const std::uint32_t unit : group.exceptional) {
    if (misses == kMisses) break;
    misses = raise_either(unit, cap) ? 0 : misses + 1;
  }
  misses = 0;
  for (const std::uint32_t unit : group.order) {
    if (misses == kMisses) break;
    if (outline_.units[unit].shown >= Shown::brief || outline_.units[unit].unwanted) continue;
    misses = raise_either(unit, cap) ? 0 : misses + 1;
  }
}

void Plan::show_whole(Group& group, const Cost& cap) {
  int misses = 0;
  for (const std::uint32_t unit : group.order) {
    if (misses == kMisses) break;
    // What is not even shown in brief was too large in any form.
    if (outline_.units[unit].shown != Shown::brief || outline_.units[unit].unwanted) continue;
    misses = raise(unit, Shown::whole, cap) ? 0 : misses + 1;
  }
}

// The shortest first, each its share: what it does not need goes to the others.
void Plan::lengthen_texts() {
  std::vector<std::uint32_t> clipped;
  for (const Text& text : outline_.texts) {
    if (outline_.units[text.unit].shown == Shown::brief) clipped.push_back(text.unit);
  }
  std::stable_sort(clipped.begin(), clipped.end(), [&](std::uint32_t a, std::uint32_t b) {
    return outline_.units[a].value.raw().size() < outline_.units[b].value.raw().size();
  });
  std::int64_t left = static_cast<std::int64_t>(clipped.size());
  for (const std::uint32_t unit : clipped) {
    const Cost cap = part_of_rest(1, left--);
    if (!raise(unit, Shown::whole, cap)) lengthen(unit, cap);
  }
}

}  // namespace enfold::budget::detail

// SPDX-License-Identifier: Apache-2.0
// Fills a plan by priority: facts, first items, exceptions, one row for every item, briefs, whole
// items, then long texts. A second call with more room continues where the first stopped.
#include "enfold/budget/plan/plan.h"
#include "enfold/budget/render/clip.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

constexpr int kFirst = 3;
constexpr int kMisses = 8;  // consecutive units that do not fit, after which a tier ends
constexpr std::size_t kCells[] = {96, 64, 40, 24};
constexpr std::size_t kSampledRows = 8;
constexpr std::size_t kRowFrame = 24;  // bytes of a row without its label

}  // namespace

class PlanFiller {
 public:
  PlanFiller(Plan& plan, const Cost& room) : plan_(plan), outline_(plan.outline_), room_(room) {}

  void fill() {
    show_protected();
    show_small();
    show_facts(3, 25);
    show_first();
    show_texts();
    show_exceptional();
    show_rows(1, 2);
    share_room([&](Group& group, const Cost& cap) { show_briefs(group, cap); });
    share_room([&](Group& group, const Cost& cap) { show_whole(group, cap); });
    lengthen_texts();
    release_rows();
    show_rows(1, 1);
  }

  void fill_least() {
    show_protected();
    for (const bool lists : {true, false}) {
      for (const Group& group : outline_.groups) {
        int misses = 0;
        for (const std::uint32_t unit : group.order) {
          if (group.is_list() != lists || misses == kMisses || plan_.shows_data()) break;
          if (!outline_.units[unit].unwanted && !plan_.show_whole_or_brief(unit, room_)) ++misses;
        }
      }
    }
  }

  void fill_facts() { show_facts(1, 1); }

 private:
  Cost part_of_rest(std::int64_t part, std::int64_t of) const {
    const Cost rest = room_ - plan_.used();
    return plan_.used() +
           Cost{std::max<std::int64_t>(rest.tokens, 0), std::max<std::int64_t>(rest.characters, 0)}
               .share(part, of);
  }

  // First each group gets an equal share of the remaining room, then any group may use what is
  // left.
  void share_room(const std::function<void(Group&, const Cost&)>& give) {
    std::int64_t left = static_cast<std::int64_t>(outline_.groups.size());
    if (left > 1) {
      for (Group& group : outline_.groups) give(group, part_of_rest(1, left--));
    }
    for (Group& group : outline_.groups) give(group, room_);
  }

  void show_protected() {
    for (const auto* units : {&plan_.protected_, &plan_.kept_}) {
      for (const std::uint32_t unit : *units) {
        if (outline_.units[unit].shown != Detail::whole) plan_.show_as(unit, Detail::whole, room_);
      }
    }
  }

  // Short scalars beside the lists: names, totals, flags.
  void show_small() {
    const Cost cap = part_of_rest(1, 2);
    for (std::uint32_t i = 0; i < outline_.units.size(); ++i) {
      const Unit& unit = outline_.units[i];
      if (unit.shown == Detail::whole || unit.group == kNone || unit.unwanted) continue;
      if (!outline_.groups[unit.group].value.is_object() || unit.value.raw().size() > 96) continue;
      plan_.show_as(i, Detail::whole, cap);
    }
  }

  void show_facts(std::int64_t part, std::int64_t of) {
    const Cost cap = part_of_rest(part, of);
    for (std::uint32_t i = 0; i < plan_.facts_.size(); ++i) {
      Fact& fact = plan_.facts_[i];
      if (fact.shown || !(plan_.used() + fact.cost).within(cap)) continue;
      fact.shown = true;
      plan_.spent_ += fact.cost;
      plan_.log_step({Plan::What::fact, i, 0, Detail::absent, 0, fact.cost});
    }
  }

  void show_first() {
    const Cost cap = part_of_rest(1, 2);
    for (Group& group : outline_.groups) {
      if (!group.is_list()) continue;
      int seen = 0;
      for (const std::uint32_t unit : group.order) {
        if (seen++ == kFirst) break;
        if (outline_.units[unit].shown >= Detail::brief) continue;
        const bool cheap = plan_.cost(unit, Detail::whole).within(room_.share(1, 10));
        if (!(cheap && plan_.show_as(unit, Detail::whole, cap)) &&
            !plan_.show_whole_or_brief(unit, cap)) {
          // One large item is better than none.
          if (seen == 1) plan_.show_whole_or_brief(unit, room_);
        }
      }
    }
  }

  void show_texts() {
    const Cost cap = part_of_rest(1, 2);
    for (const Text& text : outline_.texts) {
      Unit& unit = outline_.units[text.unit];
      if (unit.shown >= Detail::brief || unit.unwanted || plan_.rigid_) continue;
      plan_.show_whole_or_brief(text.unit, cap);
    }
  }

  void show_exceptional() {
    const Cost cap = part_of_rest(1, 3);
    for (Group& group : outline_.groups) {
      if (!group.is_list() || group.count < 12) continue;
      if (group.last != kNone) plan_.show_whole_or_brief(group.last, cap);
      int misses = 0;
      for (const std::uint32_t unit : group.exceptional) {
        if (misses == kMisses / 2) break;
        if (!plan_.show_whole_or_brief(unit, cap)) ++misses;
      }
    }
  }

  // Chooses the widest label with which every item can have a row. Samples rows with the widest
  // label; the cost of narrower ones is scaled by their bytes.
  void choose_cell(Group& group, const Cost& cap) {
    if (group.cell != 0) return;
    group.cell = kCells[0];
    if (!group.survey->label || group.order.empty()) return;
    const std::size_t step = std::max<std::size_t>(1, group.order.size() / kSampledRows);
    Cost sum;
    std::int64_t seen = 0;
    std::array<std::int64_t, std::size(kCells)> bytes{};
    for (std::size_t i = 0; i < group.order.size(); i += step, ++seen) {
      const std::string row = plan_.prices_.row_of(outline_.units[group.order[i]], kCells[0]);
      sum += plan_.prices_.beside_others({}, row);
      for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
        bytes[cell] += static_cast<std::int64_t>(std::min(row.size(), kCells[cell] + kRowFrame));
      }
    }
    for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
      group.cell = kCells[cell];
      const Cost all = sum.share(static_cast<std::int64_t>(group.count), seen);
      if ((plan_.used() + all.share(bytes[cell], bytes[0])).within(cap)) {
        group.row = sum.share(bytes[cell], bytes[0] * seen) + Cost{1, 1};  // rounded up
        break;
      }
    }
  }

  // Reserves room for rows. Most rows are later replaced by a brief, so they are built at the end.
  bool reserve_rows(Group& group, const Cost& cap) {
    if (group.row == Cost{} || group.rows > 0) return false;
    const auto absent = std::count_if(
        group.order.begin(), group.order.end(),
        [&](std::uint32_t unit) { return outline_.units[unit].shown == Detail::absent; });
    const Cost all = plan_.prices_.of_index(group) +
                     Cost{group.row.tokens * absent, group.row.characters * absent};
    if (!(plan_.used() + all).within(cap)) return false;
    plan_.reserved_ += all;
    group.reserved_rows = static_cast<std::size_t>(absent);
    return true;
  }

  void release_rows() {
    plan_.reserved_ = {};
    for (Group& group : outline_.groups) group.reserved_rows = 0;
  }

  void show_rows(std::int64_t part, std::int64_t of) {
    const Cost cap = part_of_rest(part, of);
    for (std::uint32_t i = 0; i < outline_.texts.size(); ++i) {
      for (std::uint32_t line = 0; line < outline_.texts[i].lines.size(); ++line) {
        if (!plan_.show_line(i, line, cap)) break;
      }
    }
    for (Group& group : outline_.groups) {
      const bool named =
          group.is_list() ? group.survey->id || group.survey->label : group.value.is_object();
      if (!named) continue;
      if (group.is_list()) choose_cell(group, cap);
      if (of > 1 && reserve_rows(group, cap)) continue;
      for (const std::uint32_t unit : group.order) {
        if (outline_.units[unit].shown != Detail::absent) continue;
        if (!plan_.show_as(unit, Detail::row, cap)) break;
      }
    }
  }

  void show_briefs(Group& group, const Cost& cap) {
    int misses = 0;
    for (const std::uint32_t unit : group.exceptional) {
      if (misses == kMisses) break;
      misses = plan_.show_whole_or_brief(unit, cap) ? 0 : misses + 1;
    }
    misses = 0;
    for (const std::uint32_t unit : group.order) {
      if (misses == kMisses) break;
      if (outline_.units[unit].shown >= Detail::brief || outline_.units[unit].unwanted) continue;
      misses = plan_.show_whole_or_brief(unit, cap) ? 0 : misses + 1;
    }
  }

  void show_whole(Group& group, const Cost& cap) {
    int misses = 0;
    for (const std::uint32_t unit : group.order) {
      if (misses == kMisses) break;
      // Units without a brief were too large in any form.
      if (outline_.units[unit].shown != Detail::brief || outline_.units[unit].unwanted) continue;
      misses = plan_.show_as(unit, Detail::whole, cap) ? 0 : misses + 1;
    }
  }

  // Extends clipped texts, the shortest first; each gets an equal share of what is left.
  void lengthen_texts() {
    std::vector<std::uint32_t> clipped;
    for (const Text& text : outline_.texts) {
      if (outline_.units[text.unit].shown == Detail::brief) clipped.push_back(text.unit);
    }
    std::stable_sort(clipped.begin(), clipped.end(), [&](std::uint32_t a, std::uint32_t b) {
      return outline_.units[a].value.raw().size() < outline_.units[b].value.raw().size();
    });
    std::int64_t left = static_cast<std::int64_t>(clipped.size());
    for (const std::uint32_t unit : clipped) {
      const Cost cap = part_of_rest(1, left--);
      if (!plan_.show_as(unit, Detail::whole, cap)) plan_.lengthen(unit, cap);
    }
  }

  Plan& plan_;
  Outline& outline_;
  Cost room_;
};

void fill(Plan& plan, const Cost& room) { PlanFiller(plan, room).fill(); }
void fill_least(Plan& plan, const Cost& room) { PlanFiller(plan, room).fill_least(); }
void fill_facts(Plan& plan, const Cost& room) { PlanFiller(plan, room).fill_facts(); }

}  // namespace enfold::budget::detail

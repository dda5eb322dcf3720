// SPDX-License-Identifier: Apache-2.0
// Fills a plan by priority, in the order of PlanFiller::fill(). A second call with more room
// continues where the first stopped.
//
// outline.h explains groups, units, rows and facts. Exceptional units are rare or failing items;
// unwanted units match `drop` of the policy. `cap` is the total that the plan may use when the step
// is done, including what it used before.
#include "enfold/budget/plan/plan.h"

#include <algorithm>
#include <initializer_list>

namespace enfold::budget::detail {
namespace {

constexpr int kFirstItems = 3;  // of each list, shown before most other parts
constexpr int kMisses = 8;  // consecutive units that do not fit, after which the next step begins
constexpr std::size_t kSmallBytes = 96;  // members up to this size are shown early
constexpr std::size_t kLongList = 12;    // items from which exceptional ones are shown early
constexpr std::size_t kLabelWidths[] = {96, 64, 40, 24};  // bytes, tried in this order
constexpr std::size_t kSampledRows = 8;                   // of each list, to price the others
constexpr std::size_t kRowFrame = 24;                     // bytes of a row without its label

// The total that the plan may use if the next of `left` steps takes its share of what `cap` leaves.
Cost share_up_to(const Cost& used, const Cost& cap, std::int64_t left) {
  const Cost rest = cap - used;
  return rest.tokens <= 0 || rest.characters <= 0 ? used : used + rest.share(1, left);
}

// Whether the index has rows of a group. A list with neither labels nor ids has none, and ids that
// are a series tell no more than their number.
bool is_indexed(const Group& group) {
  if (group.value.is_object()) return true;
  if (!group.is_list()) return false;
  const Survey& survey = *group.survey;
  return survey.label || (survey.id && !survey.fields[*survey.id].is_series());
}

// Indexes of the facts about lists of this turn: the first fact of each list, then the second of
// each, and so on.
std::vector<std::uint32_t> facts_of_turn(const std::vector<Fact>& facts, FactTurn turn) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < facts.size(); ++i) {
    if (facts[i].text == kNone && facts[i].turn == turn) chosen.push_back(i);
  }
  std::ranges::stable_sort(chosen, {}, [&](std::uint32_t i) { return facts[i].order; });
  return chosen;
}

}  // namespace

class PlanFiller {
 public:
  PlanFiller(Plan& plan, const Cost& room) : plan_(plan), outline_(plan.outline_), room_(room) {}

  void fill() {
    show_protected();
    show_members(Members::small, cap_with_share(1, 2));
    show_facts({FactTurn::whole, FactTurn::records}, /*of=*/3);
    show_members(Members::unopened, cap_with_share(1, 4));
    show_facts({FactTurn::inner_whole, FactTurn::inner_records}, /*of=*/3);
    show_text_facts(cap_with_share(1, 3));
    show_first_items();
    show_texts();
    show_exceptional();
    show_rows(cap_with_share(1, 3), /*may_reserve=*/true);
    share_room([&](Group& group, const Cost& cap) { show_briefs(group, cap); });
    share_room([&](Group& group, const Cost& cap) { show_whole(group, cap); });
    lengthen_texts(/*all_of_head=*/false);
    release_rows();
    show_rows(cap_with_share(1, 1), /*may_reserve=*/false);
    show_tails(cap_with_share(1, 2));
    lengthen_texts(/*all_of_head=*/true);
  }

  // Shows what is protected, then stops as soon as any data is shown: an item of a list, or a
  // member of an object if no item fits.
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

  void fill_facts() {
    show_facts({FactTurn::whole, FactTurn::records, FactTurn::inner_whole, FactTurn::inner_records},
               /*of=*/1);
    show_text_facts(cap_with_share(1, 1));
  }

 private:
  // The total that the plan may use if the next step takes at most part/of of the free room.
  Cost cap_with_share(std::int64_t part, std::int64_t of) const {
    const Cost rest = room_ - plan_.used();
    return plan_.used() +
           Cost{std::max<std::int64_t>(rest.tokens, 0), std::max<std::int64_t>(rest.characters, 0)}
               .share(part, of);
  }

  // Calls give(group, cap), which shows units of the group while the plan uses at most `cap`. First
  // each group gets an equal share of the remaining room, then any group may use what is left.
  void share_room(const std::function<void(Group&, const Cost&)>& give) {
    std::int64_t left = static_cast<std::int64_t>(outline_.groups.size());
    if (left > 1) {
      for (Group& group : outline_.groups) give(group, cap_with_share(1, left--));
    }
    for (Group& group : outline_.groups) give(group, room_);
  }

  // What the policy names by `protect`, then what it names by `keep`.
  void show_protected() {
    for (const auto* units : {&plan_.protected_, &plan_.kept_}) {
      for (const std::uint32_t unit : *units) {
        if (outline_.units[unit].shown != Detail::whole) plan_.show_as(unit, Detail::whole, room_);
      }
    }
  }

  enum class Members : std::uint8_t { small, unopened };

  // Shows members of objects whole: small ones, such as names, totals and flags, or containers that
  // the outline did not open as groups, such as a summary.
  void show_members(Members which, const Cost& cap) {
    for (std::uint32_t i = 0; i < outline_.units.size(); ++i) {
      const Unit& unit = outline_.units[i];
      if (unit.shown == Detail::whole || unit.group == kNone || unit.unwanted) continue;
      const Group& group = outline_.groups[unit.group];
      const bool wanted = which == Members::small
                              ? unit.value.raw().size() <= kSmallBytes
                              : unit.value.is_container() && !group.is_list() && !unit.is_opened;
      if (group.value.is_object() && wanted) plan_.show_as(i, Detail::whole, cap);
    }
  }

  // Shows the facts of each turn, which may use 1/`of` of the free room.
  void show_facts(std::initializer_list<FactTurn> turns, std::int64_t of) {
    for (const FactTurn turn : turns) {
      const Cost cap = cap_with_share(1, of);
      for (const std::uint32_t i : facts_of_turn(plan_.facts_, turn)) show_fact(i, cap);
    }
  }

  void show_fact(std::uint32_t index, const Cost& cap) {
    Fact& fact = plan_.facts_[index];
    if (fact.shown || !(plan_.used() + fact.cost).within(cap)) return;
    fact.shown = true;
    plan_.spent_ += fact.cost;
    plan_.log_step({.what = Plan::What::fact, .index = index, .delta = fact.cost});
  }

  // Shows facts about texts; each text gets an equal share. If its form does not fit, or the fact
  // `records_at`, the facts after that are left out: a reader would not know what they are about.
  void show_text_facts(const Cost& cap) {
    const auto texts = static_cast<std::int64_t>(outline_.texts.size());
    bool is_clear = true;  // what the next facts are about
    for (std::uint32_t i = 0; i < plan_.facts_.size(); ++i) {
      const std::uint32_t text = plan_.facts_[i].text;
      if (text == kNone) continue;
      const bool is_form = i == 0 || plan_.facts_[i - 1].text != text;
      if (is_form) {
        text_cap_ = share_up_to(plan_.used(), cap, texts - static_cast<std::int64_t>(text));
        is_clear = true;
      }
      if (!is_clear) continue;
      // The highest counts of a section come first: after one that is left out none is shown.
      const Fact* before = i == 0 ? nullptr : &plan_.facts_[i - 1];
      const Fact& fact = plan_.facts_[i];
      const bool follows = before != nullptr && before->text == text && !fact.section.empty() &&
                           before->section == fact.section;
      if (!follows || before->shown) show_fact(i, text_cap_);
      const bool is_place = fact.section.empty() && fact.name == "records_at";
      if ((is_form || is_place) && !fact.shown) is_clear = false;
    }
  }

  // Shows the first items of each list, in the order of priority.
  void show_first_items() {
    const Cost cap = cap_with_share(1, 2);
    for (Group& group : outline_.groups) {
      if (!group.is_list()) continue;
      int seen = 0;
      for (const std::uint32_t unit : group.order) {
        if (outline_.units[unit].unwanted) continue;
        if (seen++ == kFirstItems) break;
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

  // Shows the beginning of each long text; lengthen_texts() extends it later.
  void show_texts() {
    const Cost cap = cap_with_share(1, 2);
    for (const Text& text : outline_.texts) {
      Unit& unit = outline_.units[text.unit];
      if (unit.shown >= Detail::brief || unit.unwanted || plan_.whole_only_) continue;
      plan_.show_whole_or_brief(text.unit, cap);
    }
  }

  // Shows the last item and the exceptional items of long lists.
  void show_exceptional() {
    const Cost cap = cap_with_share(1, 3);
    for (Group& group : outline_.groups) {
      if (!group.is_list() || group.count < kLongList) continue;
      if (group.last != kNone && !outline_.units[group.last].unwanted) {
        plan_.show_whole_or_brief(group.last, cap);
      }
      int misses = 0;
      for (const std::uint32_t unit : group.exceptional) {
        if (misses == kMisses / 2) break;
        if (outline_.units[unit].unwanted) continue;
        if (!plan_.show_whole_or_brief(unit, cap)) ++misses;
      }
    }
  }

  // Chooses the widest label with which every item can have a row. Prices a sample of rows with the
  // widest label; the cost of narrower ones is scaled by their bytes. If even the narrowest does
  // not fit, or there is no label, `row_cost` stays zero: rows are not reserved, but shown while
  // they fit.
  void choose_label_width(Group& group, const Cost& cap) {
    if (group.label_width != 0) return;
    group.label_width = kLabelWidths[0];
    if (!group.survey->label || group.order.empty()) return;
    const std::size_t step = std::max<std::size_t>(1, group.order.size() / kSampledRows);
    Cost sum;
    std::int64_t seen = 0;
    std::array<std::int64_t, std::size(kLabelWidths)> bytes{};
    for (std::size_t i = 0; i < group.order.size(); i += step, ++seen) {
      const std::string row =
          plan_.prices_.index_row_of(outline_.units[group.order[i]], kLabelWidths[0]);
      sum += plan_.prices_.after_similar(/*key=*/{}, row);  // the price of a row after another row
      for (std::size_t at = 0; at < bytes.size(); ++at) {
        bytes[at] += static_cast<std::int64_t>(std::min(row.size(), kLabelWidths[at] + kRowFrame));
      }
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      group.label_width = kLabelWidths[at];
      const Cost all = sum.share(static_cast<std::int64_t>(group.count), seen);
      if ((plan_.used() + all.share(bytes[at], bytes[0])).within(cap)) {
        group.row_cost = sum.share(bytes[at], bytes[0] * seen) + Cost{1, 1};  // rounded up
        break;
      }
    }
  }

  // Reserves room for a row of each unit that is not shown; false: the rows do not all fit. Most of
  // these units are shown in brief later, so the rows of the others are chosen at the end.
  bool reserve_rows(Group& group, const Cost& cap) {
    if (group.row_cost == Cost{} || group.rows > 0) return false;
    const auto absent = std::count_if(
        group.order.begin(), group.order.end(),
        [&](std::uint32_t unit) { return outline_.units[unit].shown == Detail::absent; });
    const Cost all = plan_.prices_.of_empty_index(group) +
                     Cost{group.row_cost.tokens * absent, group.row_cost.characters * absent};
    if (!(plan_.used() + all).within(cap)) return false;
    plan_.reserved_ += all;
    group.reserved_rows = static_cast<std::size_t>(absent);
    return true;
  }

  void release_rows() {
    plan_.reserved_ = {};
    for (Group& group : outline_.groups) group.reserved_rows = 0;
  }

  // Shows rows of the index: notable lines of long texts, items of lists, keys of objects. With
  // `may_reserve`, lists get no rows yet: room is reserved for a list whose rows all fit.
  void show_rows(const Cost& cap, bool may_reserve) {
    auto left = static_cast<std::int64_t>(outline_.texts.size());
    for (std::uint32_t i = 0; i < outline_.texts.size(); ++i) {
      const Cost text_cap = share_up_to(plan_.used(), cap, left--);
      const Text& text = outline_.texts[i];
      if (outline_.units[text.unit].shown == Detail::whole) continue;
      const std::size_t end = text.row_shown.size() - text.digest.tail_rows;
      for (std::uint32_t row = 0; row < end; ++row) {
        if (!plan_.show_line(i, row, text_cap)) break;
      }
    }
    for (Group& group : outline_.groups) {
      if (!is_indexed(group)) continue;
      if (group.value.is_array()) choose_label_width(group, cap);
      if (may_reserve && (reserve_rows(group, cap) || group.is_list())) continue;
      for (const std::uint32_t unit : group.order) {
        if (outline_.units[unit].shown != Detail::absent) continue;
        if (!plan_.show_as(unit, Detail::index_row, cap)) break;
      }
    }
  }

  // Shows rows with the last lines of long texts.
  void show_tails(const Cost& cap) {
    auto left = static_cast<std::int64_t>(outline_.texts.size());
    for (std::uint32_t i = 0; i < outline_.texts.size(); ++i) {
      const Cost text_cap = share_up_to(plan_.used(), cap, left--);
      const Text& text = outline_.texts[i];
      if (outline_.units[text.unit].shown == Detail::whole) continue;
      auto row = static_cast<std::uint32_t>(text.row_shown.size() - text.digest.tail_rows);
      while (row < text.row_shown.size() && plan_.show_line(i, row, text_cap)) ++row;
    }
  }

  // Shows units that are not shown yet, the exceptional ones first: in brief, or whole if there is
  // no brief.
  void show_briefs(Group& group, const Cost& cap) {
    int misses = 0;
    for (const std::uint32_t unit : group.exceptional) {
      if (misses == kMisses) break;
      if (outline_.units[unit].unwanted) continue;
      misses = plan_.show_whole_or_brief(unit, cap) ? 0 : misses + 1;
    }
    misses = 0;
    for (const std::uint32_t unit : group.order) {
      if (misses == kMisses) break;
      if (outline_.units[unit].shown >= Detail::brief || outline_.units[unit].unwanted) continue;
      misses = plan_.show_whole_or_brief(unit, cap) ? 0 : misses + 1;
    }
  }

  // Shows whole what is shown in brief.
  void show_whole(Group& group, const Cost& cap) {
    int misses = 0;
    for (const std::uint32_t unit : group.order) {
      if (misses == kMisses) break;
      // Units without a brief were tried whole by show_briefs.
      if (outline_.units[unit].shown != Detail::brief || outline_.units[unit].unwanted) continue;
      misses = plan_.show_as(unit, Detail::whole, cap) ? 0 : misses + 1;
    }
  }

  // Extends clipped texts, the shortest first; each gets an equal share of what is left. Texts
  // whose facts and rows say more than their beginning get little of it, unless `all_of_head`.
  void lengthen_texts(bool all_of_head) {
    std::vector<std::uint32_t> clipped;
    for (const Text& text : outline_.texts) {
      if (outline_.units[text.unit].shown == Detail::brief) clipped.push_back(text.unit);
    }
    std::stable_sort(clipped.begin(), clipped.end(), [&](std::uint32_t a, std::uint32_t b) {
      return outline_.units[a].value.raw().size() < outline_.units[b].value.raw().size();
    });
    std::int64_t left = static_cast<std::int64_t>(clipped.size());
    for (const std::uint32_t unit : clipped) {
      const Cost cap = cap_with_share(1, left--);
      if (plan_.show_as(unit, Detail::whole, cap)) continue;
      const Text& text = outline_.texts[outline_.units[unit].text];
      const bool is_limited = !all_of_head || text.digest.head == text::Head::prefix;
      plan_.lengthen(unit, is_limited ? text.head : SIZE_MAX, cap);
    }
  }

  Plan& plan_;
  Outline& outline_;
  Cost room_;
  Cost text_cap_;  ///< of the facts about the current text
};

void fill(Plan& plan, const Cost& room) { PlanFiller(plan, room).fill(); }
void fill_least(Plan& plan, const Cost& room) { PlanFiller(plan, room).fill_least(); }
void fill_facts(Plan& plan, const Cost& room) { PlanFiller(plan, room).fill_facts(); }

}  // namespace enfold::budget::detail

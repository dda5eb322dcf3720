// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/render.h"

#include "enfold/budget/render/clip.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

// Limits of the lists in the report. With fidelity, handle, hash and warning the report stays under
// 160 tokens, unless kExactDroppedTokens applies.
constexpr std::int64_t kDroppedTokens = 32;
constexpr std::int64_t kExactDroppedTokens = 320;  // if the schema forbids marks like …[+3 items]
constexpr std::int64_t kBriefedTokens = 16;
constexpr std::int64_t kClippedTokens = 16;
constexpr std::int64_t kListName = 4;        // tokens of a list's name and punctuation
constexpr std::size_t kFewIds = 5;           // up to this many dropped items are named by id
constexpr std::size_t kLongestShownId = 24;  // bytes of such an id
constexpr std::size_t kSurelyUnique = 128;   // in longer lists, uniqueness of ids was only sampled
constexpr std::uint32_t kFewMembers = 8;     // adjacent members; more are one spot

// Lines of a clipped text of which nothing is shown.
std::size_t lines_left(const Text& text, const Unit& unit) {
  const std::string_view shown = std::string_view(*unit.brief).substr(1);
  return text.digest.lines - last_line(shown.substr(0, shown.rfind(kMarker)));
}

// Sets FitResult::lines_left and text_lines.
void count_lines_left(const Outline& outline, FitResult& fitted) {
  for (const Text& text : outline.texts) {
    const Unit& unit = outline.units[text.unit];
    if (unit.shown != Detail::brief || !unit.brief) continue;
    const std::size_t left = lines_left(text, unit);
    if (left == 0) continue;
    fitted.lines_left += left;
    fitted.text_lines += text.digest.lines;
  }
}

/// What is missing, for the lists of the report; each is sorted by group and position.
struct Spots {
  std::vector<Spot> dropped;   ///< not shown at all
  std::vector<Spot> briefed;   ///< containers shown in part
  std::vector<Spot> clipped;   ///< strings shown in part
  std::vector<Spot> unmarked;  ///< of `briefed`: some of what is missing has no mark
};

class Renderer {
 public:
  Renderer(const Plan& plan, Form form, bool has_schema)
      : plan_(plan), outline_(plan.outline()), form_(form), has_schema_(has_schema) {}

  FitResult report() {
    FitResult fitted;
    fill_report(fitted);
    return fitted;
  }

  FitResult render(const FitResult* known_report) {
    FitResult fitted;
    if (known_report != nullptr) fitted = *known_report;
    fitted.fidelity = form_ == Form::data ? model::Fidelity::partial
                      : form_ == Form::sample || form_ == Form::summary
                          ? model::Fidelity::summary
                          : model::Fidelity::reference_only;
    json::Writer writer;
    write_payload(writer, outline_, form_, has_schema_);
    fitted.payload = std::move(writer).finish_value();
    if (known_report == nullptr) fill_report(fitted);
    if (form_ == Form::data || form_ == Form::sample || form_ == Form::summary) {
      fitted.facts = write_facts(plan_.facts(), outline_);
      fitted.index = write_index(outline_);
    }
    return fitted;
  }

 private:
  [[nodiscard]] bool shows_data() const { return form_ == Form::data || form_ == Form::sample; }

  void fill_report(FitResult& fitted) {
    Spots spots;
    find_absent_groups();
    for (std::uint32_t i = 0; i < outline_.groups.size(); ++i) {
      if (absent_[i] == 0) report_group(i, fitted, spots);
    }
    if (outline_.groups.empty()) {
      if (!shows_data()) {
        spots.dropped.push_back({});
        fitted.dropped_count = 1;
      } else if (outline_.units[0].shown == Detail::brief) {
        fitted.dropped_count += missing_in(outline_.units[0]);
        spots.clipped.push_back({});
      }
    }
    if (shows_data()) count_lines_left(outline_, fitted);
    // The items with which the cursor of the cut answer continues.
    if (plan_.policy().list) fitted.left = items_left(outline_, form_, *plan_.policy().list);
    if (form_ == Form::bare) return;  // for a budget without room for the report
    if (spots.unmarked.empty()) fitted.dropped = few_ids(absent_parts_);
    // Where the schema forbids marks, only these places say which items are missing.
    const bool exact = shows_data() && std::ranges::any_of(spots.dropped, [&](const Spot& spot) {
                         return spot.group != kNone &&
                                outline_.groups[spot.group].value.is_array() &&
                                !outline_.groups[spot.group].constraint.may_mark_items();
                       });
    if (fitted.dropped.empty()) {
      fitted.dropped = covering(spots.dropped, exact ? kExactDroppedTokens : kDroppedTokens, exact);
      add_places(fitted.dropped, covering(spots.unmarked, kDroppedTokens));
    }
    fitted.briefed = covering(spots.briefed, kBriefedTokens);
    fitted.clipped = covering(spots.clipped, kClippedTokens);
  }

  // Marks containers that were opened as groups but of which nothing is shown: each counts as one
  // part.
  void find_absent_groups() {
    for (const Group& group : outline_.groups) {
      const bool is_inside_absent = group.parent != kNone && absent_[group.parent] != 0;
      const bool shown = shows_data() && group.is_visible();
      absent_.push_back(is_inside_absent || (group.parent != kNone && !shown) ? 1 : 0);
    }
  }

  std::vector<std::string> covering(std::vector<Spot>& spots, std::int64_t tokens,
                                    bool exact = false) {
    return covering_pointers(outline_, std::move(spots), tokens, exact, plan_.counter());
  }

  // Adds what is missing of a group to the report and the lists of spots.
  void report_group(std::uint32_t index, FitResult& fitted, Spots& spots) {
    const Group& group = outline_.groups[index];
    // The reader must know which lists are shown as {"cols":[…],"rows":[[…]]}.
    if (shows_data() && group.columnar && group.is_visible())
      fitted.columnar.push_back(group.pointer);
    std::uint32_t next = 0;
    const auto drop = [&](std::uint32_t first, std::uint32_t end) {
      if (first >= end) return;
      fitted.dropped_count += end - first;
      absent_parts_ += end - first;
      add(spots.dropped, index, first, end - 1);
    };
    for (const Child& child : group.children) {
      // What is missing inside a group that is present is reported when that group is visited.
      const bool is_present =
          child.is_group ? absent_[child.index] == 0 : shows_data() && outline_.is_shown(child);
      if (!is_present) continue;
      drop(next, child.position);
      next = child.position + 1;
      if (child.is_group || outline_.units[child.index].shown != Detail::brief) continue;
      const Unit& unit = outline_.units[child.index];
      fitted.dropped_count += missing_in(unit);
      add(unit.value.is_string() ? spots.clipped : spots.briefed, index, child.position,
          child.position);
      if (unit.unmarked) add(spots.unmarked, index, child.position, child.position);
    }
    drop(next, static_cast<std::uint32_t>(group.count));
  }

  // Members, items and lines that the brief of a unit does not show.
  [[nodiscard]] std::size_t missing_in(const Unit& unit) const {
    if (unit.text == kNone) return unit.missing_parts;
    return std::max<std::size_t>(1, lines_left(outline_.texts[unit.text], unit));
  }

  // Adds the children `first` to `last` (included) of a group. Items of an array become a range;
  // members of an object are named one by one if they are few.
  void add(std::vector<Spot>& spots, std::uint32_t group, std::uint32_t first, std::uint32_t last) {
    if (!spots.empty() && spots.back().group == group && spots.back().last + 1 == first &&
        outline_.groups[group].value.is_array()) {
      spots.back().last = last;
    } else if (outline_.groups[group].value.is_object() && last - first < kFewMembers) {
      for (std::uint32_t i = first; i <= last; ++i) spots.push_back({group, i, i});
    } else {
      spots.push_back({group, first, last});
    }
  }

  // The ids of the dropped items, if they are few, of one list, and unambiguous; else empty.
  std::vector<std::string> few_ids(std::size_t dropped) {
    std::vector<std::string> ids;
    std::vector<std::uint32_t> positions;
    if (dropped == 0 || dropped > kFewIds || !shows_data()) return ids;
    for (const Group& group : outline_.groups) {
      if (!group.value.is_array() || !group.survey || !group.survey->id ||
          group.count > kSurelyUnique) {
        continue;
      }
      for (const std::uint32_t index : group.order) {
        const Unit& unit = outline_.units[index];
        if (unit.shown >= Detail::brief) continue;
        const auto id = group.survey->value(unit.value, *group.survey->id);
        std::string text = !id               ? std::string()
                           : id->is_string() ? id->string()
                                             : std::string(id->raw());
        if (text.empty() || text.size() > kLongestShownId || text[0] == '/' ||
            text.find("..") != std::string::npos) {
          return {};
        }
        ids.push_back(std::move(text));
        positions.push_back(unit.position);
      }
      const bool may_name = ids.size() == dropped && is_only_list(group) &&
                            are_unambiguous(group.value, ids, positions);
      return may_name ? ids : std::vector<std::string>{};
    }
    return {};
  }

  // Whether a search by id in the archived answer finds items of this list only: the search visits
  // all lists that are reachable through objects.
  [[nodiscard]] bool is_only_list(const Group& list) const {
    for (std::uint32_t above = list.parent; above != kNone; above = outline_.groups[above].parent) {
      if (!outline_.groups[above].value.is_object()) return false;
    }
    const auto is_inside = [&](const Group* group) {
      while (group != &list && group->parent != kNone) group = &outline_.groups[group->parent];
      return group == &list;
    };
    return std::none_of(outline_.groups.begin(), outline_.groups.end(), [&](const Group& group) {
      if (is_inside(&group)) return false;
      return group.value.is_array() || group.children.size() < group.count ||
             std::any_of(
                 group.order.begin(), group.order.end(),
                 [&](std::uint32_t unit) { return outline_.units[unit].value.size() > 0; });
    });
  }

  // Whether a search by id finds these items and no others of the list. It compares the strings and
  // numbers in an item, in its members and in their members.
  static bool are_unambiguous(json::View list, const std::vector<std::string>& ids,
                              const std::vector<std::uint32_t>& positions) {
    std::vector<bool> found(ids.size());
    bool finds_others = false;
    std::uint32_t position = 0;
    const auto check = [&](json::View value) {
      if (!value.is_string() && !value.is_number()) return;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool same = value.is_string() ? value.equals(ids[i]) : value.raw() == ids[i];
        if (!same) continue;
        if (positions[i] != position) finds_others = true;
        found[i] = true;
      }
    };
    for (const json::View item : list.items()) {
      check(item);
      for (const json::Member& member : item.members()) {
        check(member.value);
        for (const json::Member& inner : member.value.members()) check(inner.value);
      }
      ++position;
    }
    return !finds_others && std::ranges::all_of(found, std::identity());
  }

  const Plan& plan_;
  const Outline& outline_;
  Form form_;
  bool has_schema_;
  std::size_t absent_parts_ = 0;  ///< items and members that are not shown at all
  /// By group: 1 if it is, or is inside, a container of which nothing is shown.
  std::vector<char> absent_;
};

}  // namespace

FitResult report_of(const Plan& plan, Form form) {
  return Renderer(plan, form, /*has_schema=*/false).report();  // a schema would not change it
}

std::int64_t report_tokens(const FitResult& fitted, const Counter& counter) {
  std::int64_t tokens = 0;
  for (const auto* places : {&fitted.dropped, &fitted.briefed, &fitted.clipped}) {
    if (!places->empty()) tokens += token_cost(*places, counter) + kListName;
  }
  return tokens;
}

FitResult render(const Plan& plan, Form form, bool has_schema, const FitResult* report) {
  return Renderer(plan, form, has_schema).render(report);
}

}  // namespace enfold::budget::detail

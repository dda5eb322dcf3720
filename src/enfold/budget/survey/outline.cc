// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/survey/outline.h"

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>
#include <unordered_set>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr std::size_t kShortestList = 4;   // arrays with fewer items get no survey
constexpr std::size_t kLongList = 8;       // of lists with this many or more no item is opened
constexpr std::size_t kBytesPerToken = 3;  // a low estimate for minified JSON
constexpr std::size_t kLongText = 512;  // strings of this many bytes or more are surveyed by line

class Builder {
 public:
  Builder(Outline& out, std::size_t tokens, const Policy& policy, const Counter& counter)
      : out_(out),
        policy_(policy),
        counter_(counter),
        most_units_(tokens / 2 + 16),
        most_groups_(4 + tokens / 48),
        large_(kBytesPerToken * std::max<std::size_t>(48, tokens / 8)) {}

  void build(const View* schema) {
    const View root = out_.payload;
    if (schema != nullptr) out_.root_constraint = Constraint(*schema, *schema, root);
    const bool opens = root.is_container() && !out_.root_constraint.fixed() &&
                       (root.size() <= most_units_ || !has_own_mark(root, out_.root_constraint));
    if (!opens) {
      out_.units.push_back({});
      out_.units.back().value = root;
      out_.units.back().removable = false;
      complete_unit(0);
      return;
    }
    Group group;
    group.value = root;
    group.removable = false;
    group.constraint = out_.root_constraint;
    open(std::move(group));
    // Breadth first, so that values near the root are opened first.
    for (std::size_t at = 0; at < waiting_.size() && out_.groups.size() < most_groups_; ++at) {
      open_unit(waiting_[at].group, waiting_[at].child);
    }
    for (std::uint32_t i = 0; i < out_.units.size(); ++i) {
      if (!opened_[i]) complete_unit(i);
    }
    for (Group& opened : out_.groups) mark_required(opened);
  }

 private:
  struct PendingUnit {
    std::uint32_t group;  ///< index of the group that has the unit
    std::size_t child;    ///< index in Group::children
  };

  void open(Group group) {
    group.count = group.value.size();
    group.tokens = json::MemberTokens(group.value);
    const auto index = static_cast<std::uint32_t>(out_.groups.size());
    out_.groups.push_back(std::move(group));
    Group& here = out_.groups.back();
    if (is_map(here)) {
      add_list(here, index);
    } else if (here.value.is_object()) {
      add_members(here, index);
    } else if (here.count < kShortestList) {
      std::uint32_t position = 0;
      for (const View item : here.value.items()) {
        add_unit(here, index, /*key=*/{}, {position++, item});
      }
    } else {
      add_list(here, index);
    }
    if (here.count >= kLongList && here.is_list() && !has_few_large_records(here)) return;
    open_way_to_list(index);
    queue_large_children(index);
  }

  // Whether a list has few records, which are larger than `large_` on average: then its items are
  // opened, so that they are shown member by member.
  [[nodiscard]] bool has_few_large_records(const Group& group) const {
    constexpr std::size_t few = 24;
    constexpr std::size_t least = 1'024;  // bytes on average
    return group.count <= few && policy_.order_by.empty() && policy_.terms.empty() &&
           group.value.raw().size() / group.count >= std::max(large_, least);
  }

  // Whether the members of an object are records: objects that, in a sample, have on average at
  // least half of all keys that occur.
  static bool is_map(const Group& group) {
    constexpr std::size_t sampled = 16;
    if (!group.value.is_object() || group.count < kLongList) return false;
    if (!group.constraint.is_unconstrained()) return false;  // the schema may require members
    std::size_t seen = 0;
    std::size_t members = 0;
    std::unordered_set<std::string_view> keys;
    for (const auto& [key, value] : group.value.members()) {
      if (seen == sampled) break;
      if (!value.is_object()) return false;
      ++seen;
      for (const auto& [name, inner] : value.members()) {
        ++members;
        keys.insert(name.raw());
      }
    }
    return members * 2 >= keys.size() * seen;
  }

  // Whether the object has a member `…` of its own. A mark could be taken for it, so no member of
  // the object may be missing, and the object is not opened, unless it is the payload itself.
  static bool has_own_mark(View value, const Constraint& constraint) {
    return value.is_object() && constraint.may_mark_members() && value.find("…");
  }

  [[nodiscard]] bool may_open(const Unit& unit) const {
    const Constraint constraint = out_.constraint(unit);
    return !constraint.fixed() && !has_own_mark(unit.value, constraint) &&
           !matches_any(policy_.protect, unit) && !is_unwanted(unit);
  }

  // Large children are opened later, up to most_groups_.
  void queue_large_children(std::uint32_t index) {
    const Group& here = out_.groups[index];
    for (std::size_t i = 0; i < here.children.size(); ++i) {
      if (here.children[i].is_group) continue;
      const Unit& unit = out_.units[here.children[i].index];
      if (unit.value.is_container() && unit.value.size() > 0 && unit.value.raw().size() > large_ &&
          may_open(unit)) {
        waiting_.push_back({index, i});
      }
    }
  }

  // Opens the list of Policy::list, and the objects around it, at any size, so that it is known
  // which of its items are shown.
  void open_way_to_list(std::uint32_t index) {
    if (!policy_.list || out_.groups[index].value.is_array()) return;
    const std::size_t count = out_.groups[index].children.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Unit& unit = out_.units[out_.groups[index].children[i].index];
      if (!unit.value.is_container()) continue;
      const std::string pointer = out_.pointer(unit);
      const bool is_list = pointer == *policy_.list && unit.value.is_array();
      const bool leads_there = policy_.list->starts_with(pointer + "/") && unit.value.is_object();
      if (!is_list && !leads_there) continue;
      if (!may_open(unit)) return;
      const std::size_t opened = out_.groups.size();
      open_unit(index, i);
      if (is_list) out_.groups[opened].removable = false;
      return;
    }
  }

  [[nodiscard]] bool matches_any(const std::vector<std::string>& patterns, const Unit& unit) const {
    if (patterns.empty()) return false;
    const std::string pointer = out_.pointer(unit);
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches(pattern, pointer); });
  }

  [[nodiscard]] bool is_unwanted(const Unit& unit) const {
    return matches_any(policy_.drop, unit) && !matches_any(policy_.keep, unit) &&
           !matches_any(policy_.protect, unit);
  }

  void open_unit(std::uint32_t parent, std::size_t child) {
    const std::uint32_t unit_index = out_.groups[parent].children[child].index;
    const Unit& unit = out_.units[unit_index];
    Group group;
    group.key = unit.key;
    group.value = unit.value;
    group.pointer = out_.pointer(unit);
    group.parent = parent;
    group.position = unit.position;
    group.constraint = out_.constraint(unit);
    opened_[unit_index] = true;
    out_.units[unit_index].is_opened = true;
    Group& above = out_.groups[parent];
    above.children[child].is_group = true;
    above.children[child].index = static_cast<std::uint32_t>(out_.groups.size());
    std::erase(above.order, unit_index);
    std::erase(above.exceptional, unit_index);
    if (above.last == unit_index) above.last = kNone;
    open(std::move(group));
  }

  std::uint32_t add_unit(Group& group, std::uint32_t index, View key, const Place& place) {
    Unit unit;
    unit.key = key;
    unit.value = place.item;
    unit.group = index;
    unit.position = place.position;
    unit.clip = policy_.clip;
    const auto at = static_cast<std::uint32_t>(out_.units.size());
    out_.units.push_back(std::move(unit));
    opened_.push_back(false);
    group.children.push_back({.is_group = false, .index = at, .position = place.position});
    group.order.push_back(at);
    return at;
  }

  void reserve_units(Group& group, std::size_t units) {
    group.children.reserve(units);
    group.order.reserve(units);
    const std::size_t all = out_.units.size() + units;
    if (all > out_.units.capacity()) out_.units.reserve(std::max(all, 2 * out_.units.capacity()));
  }

  void add_members(Group& group, std::uint32_t index) {
    reserve_units(group, std::min(group.count, most_units_));
    std::uint32_t position = 0;
    for (const auto& [key, value] : group.value.members()) {
      // Required members are candidates at any position.
      if (position < most_units_ ||
          (!group.constraint.is_unconstrained() && group.constraint.needs_member(key.string()))) {
        add_unit(group, index, key, {position, value});
      }
      ++position;
    }
  }

  void add_list(Group& group, std::uint32_t index) {
    group.survey = survey_records(group.value, most_units_, policy_, counter_);
    const Survey& survey = *group.survey;
    const std::vector<Place> first = group.value.is_array()
                                         ? preferred_items(group.value, policy_, most_units_)
                                         : std::vector<Place>();
    const std::vector<Place> rare = exceptional_items(survey, most_units_ / 4);

    struct Candidate {
      Place place;
      std::size_t rank;    // the lowest is shown first; SIZE_MAX: after all others
      std::size_t rarity;  // SIZE_MAX: not exceptional
    };
    std::vector<Candidate> candidates;
    candidates.reserve(first.size() + survey.head.size() + rare.size() + 1);
    for (const Place& place : first) {
      candidates.push_back({.place = place, .rank = candidates.size(), .rarity = SIZE_MAX});
    }
    for (const Place& place : survey.head) {
      const std::size_t rank = first.size() + place.position;
      candidates.push_back({.place = place, .rank = rank, .rarity = SIZE_MAX});
    }
    for (std::size_t i = 0; i < rare.size(); ++i) {
      candidates.push_back({.place = rare[i], .rank = SIZE_MAX, .rarity = i});
    }
    candidates.push_back({.place = *survey.last, .rank = SIZE_MAX, .rarity = SIZE_MAX});
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
      return a.place.position < b.place.position;
    });

    reserve_units(group, candidates.size());
    std::vector<std::size_t> ranks;
    std::vector<std::pair<std::size_t, std::uint32_t>> exceptional;
    for (std::size_t i = 0; i < candidates.size();) {
      std::size_t rank = SIZE_MAX;
      std::size_t rarity = SIZE_MAX;
      std::size_t next = i;
      for (; next < candidates.size() &&
             candidates[next].place.position == candidates[i].place.position;
           ++next) {
        rank = std::min(rank, candidates[next].rank);
        rarity = std::min(rarity, candidates[next].rarity);
      }
      const Place& place = candidates[i].place;
      const std::uint32_t unit = add_unit(group, index, place.key, place);
      ranks.push_back(rank);
      if (rarity != SIZE_MAX) exceptional.emplace_back(rarity, unit);
      group.last = unit;  // at the end the last item of the list, which is always a candidate
      i = next;
    }
    std::sort(exceptional.begin(), exceptional.end());
    for (const auto& [rarity, unit] : exceptional) group.exceptional.push_back(unit);
    const std::uint32_t base = group.order.front();
    std::stable_sort(group.order.begin(), group.order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return ranks[a - base] < ranks[b - base];
    });
  }

  // Sets `unwanted`, and surveys a long text.
  void complete_unit(std::uint32_t index) {
    Unit& unit = out_.units[index];
    if (unit.group != kNone) unit.unwanted = is_unwanted(unit);
    const bool in_list = unit.group != kNone && out_.groups[unit.group].is_list();
    if (!unit.value.is_string() || in_list || unit.value.raw().size() < kLongText) return;
    unit.text = static_cast<std::uint32_t>(out_.texts.size());
    Text text = read_text(unit.value, most_units_ / 4, policy_, counter_);
    text.unit = index;
    unit.never_whole = text.digest.head == text::Head::prefix &&
                       !matches_any(policy_.protect, unit) && !matches_any(policy_.keep, unit);
    if (unit.never_whole) unit.clip = std::min(unit.clip, text.head);
    out_.texts.push_back(std::move(text));
  }

  // Marks what the schema requires, and sets the style of briefs.
  void mark_required(Group& group) {
    if (group.value.is_object()) {
      std::size_t left = has_own_mark(group.value, group.constraint)  // first members to keep
                             ? group.count
                             : group.constraint.min_members();
      for (const Child& child : group.children) {
        const View key =
            child.is_group ? out_.groups[child.index].key : out_.units[child.index].key;
        const bool needed = left > 0 || group.constraint.needs_member(key.string());
        if (left > 0) --left;
        if (needed) keep_required(child);
      }
    } else {
      const std::size_t least = group.constraint.min_items();
      for (const Child& child : group.children) {
        if (child.position < least) keep_required(child);
      }
    }
    group.style.clip = policy_.clip;
    member_names(group.pointer, policy_.keep, Reach::any_child, group.style.keep);
    member_names(group.pointer, policy_.protect, Reach::any_child, group.style.keep);
    member_names(group.pointer, policy_.drop, Reach::all_children, group.style.drop);
    if (group.survey) style_list(group);
  }

  void keep_required(const Child& child) {
    if (child.is_group) {
      out_.groups[child.index].removable = false;
    } else {
      out_.units[child.index].removable = false;
    }
  }

  // Which patterns name members of the children of a group. all_children: only patterns for every
  // child, such as "/items/*/body". any_child: also for one child, or for a part of the member.
  enum class Reach { all_children, any_child };

  // Adds the names of members that the patterns name: body for "/items/*/body". `pointer`: of the
  // group.
  static void member_names(const std::string& pointer, const std::vector<std::string>& patterns,
                           Reach reach, MemberNames& names) {
    const auto depth = std::count(pointer.begin(), pointer.end(), '/');
    for (const std::string& pattern : patterns) {
      std::size_t child = 0;  // the slash before it
      for (auto i = depth; i > 0 && child != std::string::npos; --i) {
        child = pattern.find('/', child + 1);
      }
      if (child == std::string::npos || !matches(pattern.substr(0, child), pointer)) continue;
      const std::size_t slash = pattern.find('/', child + 1);
      if (slash == std::string::npos) continue;
      const std::size_t end = pattern.find('/', slash + 1);
      const bool is_for_all =
          pattern.substr(child, slash - child) == "/*" && end == std::string::npos;
      if (!is_for_all && reach == Reach::all_children) continue;
      const auto name = json::Pointer::parse(pattern.substr(slash, end - slash));
      if (!name) continue;
      names.all = names.all || name->tokens().back() == "*";
      names.names.push_back(name->tokens().back());
    }
  }

  void style_list(Group& group) {
    const Survey& survey = *group.survey;
    for (const std::uint32_t i : survey.columns) {
      const Field& field = survey.fields[i];
      if (survey.id == i || survey.label == i) continue;
      const bool constant = field.countable && field.values.size() == 1 &&
                            field.present == survey.count && field.nulls == 0;
      const bool machine_ids = field.all_strings() && field.opaque * 10 >= field.strings * 9;
      if (constant || machine_ids || field.not_null() == field.empty) {
        group.style.uninformative.push_back(field.key.string());
      }
    }
    const bool opened = std::any_of(group.children.begin(), group.children.end(),
                                    [](const Child& child) { return child.is_group; });
    group.columnar = policy_.columnar && group.value.is_array() && survey.uniform && !opened &&
                     group.constraint.is_unconstrained() && saves_as_table(group);
  }

  // Whether a table takes at most 9/10 of the tokens of the objects, in a sample.
  bool saves_as_table(const Group& group) const {
    std::string objects;
    json::Writer rows;
    rows.begin_array();
    const std::size_t sample = std::min<std::size_t>(group.survey->head.size(), 16);
    for (std::size_t i = 0; i < sample; ++i) {
      const View item = group.survey->head[i].item;
      objects += item.raw();
      objects += ',';
      rows.begin_array();
      for (const auto& [key, value] : item.members()) rows.value(value);
      rows.end_array();
    }
    rows.end_array();
    const std::int64_t table = counter_.tokens(std::move(rows).finish().str());
    return table * 10 <= counter_.tokens(objects) * 9;
  }

  Outline& out_;
  const Policy& policy_;
  const Counter& counter_;
  std::size_t most_units_;  // of one group
  std::size_t most_groups_;
  std::size_t large_;                 // bytes; containers up to this size are not opened
  std::vector<PendingUnit> waiting_;  // units to open as groups
  std::vector<bool> opened_;          // by unit: it became a group
};

}  // namespace

bool matches(std::string_view pattern, std::string_view pointer, bool or_below) {
  while (!pattern.empty() && !pointer.empty()) {
    const std::size_t p = std::min(pattern.find('/', 1), pattern.size());
    const std::size_t q = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view token = pattern.substr(0, p);
    if (token != "/*" && token != pointer.substr(0, q)) return false;
    pattern.remove_prefix(p);
    pointer.remove_prefix(q);
  }
  return pattern.empty() && (pointer.empty() || or_below);
}

std::string Outline::pointer(const Unit& unit) const {
  if (unit.group == kNone) return {};
  const Group& group = groups[unit.group];
  std::string pointer = group.pointer;
  json::append_token(pointer, group.value.is_object() ? group.tokens.token(unit.key, unit.position)
                                                      : fmt::format("{}", unit.position));
  return pointer;
}

Constraint Outline::constraint(const Unit& unit) const {
  if (unit.group == kNone) return root_constraint;
  const Group& group = groups[unit.group];
  if (group.constraint.is_unconstrained()) return {};
  return group.value.is_object() ? group.constraint.member(unit.key, unit.value)
                                 : group.constraint.item(unit.position, unit.value);
}

Outline outline(View payload, std::size_t budget_tokens, const Policy& policy, const View* schema,
                const Counter& counter) {
  Outline out;
  out.payload = payload;
  Builder(out, budget_tokens, policy, counter).build(schema);
  return out;
}

}  // namespace enfold::budget::detail

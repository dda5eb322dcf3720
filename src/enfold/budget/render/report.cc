// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/render.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kMostSpots = 8;        // in one list of the report
constexpr std::size_t kMostExactSpots = 32;  // in a list that takes the place of marks

// Joins the nearest ranges of the same array until at most `most` are left, if possible.
void join_near(const Outline& outline, std::vector<Spot>& spots, std::size_t most) {
  std::vector<std::uint32_t> gaps;  // before each spot but the first; UINT32_MAX: cannot be joined
  const auto gap = [&](std::size_t i) -> std::uint32_t {
    const bool same = spots[i].group == spots[i - 1].group && spots[i].group != kNone &&
                      outline.groups[spots[i].group].value.is_array();
    return same ? spots[i].first - spots[i - 1].last : UINT32_MAX;
  };
  for (std::size_t i = 1; i < spots.size(); ++i) gaps.push_back(gap(i));
  if (spots.size() <= most) return;
  const std::size_t joins = spots.size() - most;
  std::vector<std::uint32_t> sorted = gaps;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(joins - 1),
                   sorted.end());
  const std::uint32_t widest = sorted[joins - 1];
  std::vector<Spot> joined{spots[0]};
  for (std::size_t i = 1; i < spots.size(); ++i) {
    if (gaps[i - 1] <= widest && gaps[i - 1] != UINT32_MAX) {
      joined.back().last = spots[i].last;
    } else {
      joined.push_back(spots[i]);
    }
  }
  spots = std::move(joined);
}

std::string parent(const std::string& pointer) {
  const std::size_t slash = pointer.rfind('/');
  return slash == std::string::npos ? std::string() : pointer.substr(0, slash);
}

// Removes duplicates, and pointers to something inside of what another pointer names.
void remove_covered(std::vector<std::string>& places) {
  std::vector<std::string> kept;
  for (const std::string& place : places) {
    const bool inside = std::any_of(places.begin(), places.end(), [&](const std::string& other) {
      return other.size() < place.size() && place.starts_with(other) && place[other.size()] == '/';
    });
    if (!inside && std::find(kept.begin(), kept.end(), place) == kept.end()) kept.push_back(place);
  }
  places = std::move(kept);
}

/// Containers to report in place of their parts.
class Containers {
 public:
  explicit Containers(const Outline& outline)
      : outline_(outline), depth_(outline.groups.size()), marked_(outline.groups.size()) {
    for (std::size_t i = 0; i < depth_.size(); ++i) {  // parents come first
      const std::uint32_t parent = outline.groups[i].parent;
      depth_[i] = parent == kNone ? 0 : depth_[parent] + 1;
    }
  }

  void add(std::uint32_t group) {
    if (marked_[group] != 0) return;
    marked_[group] = 1;
    groups_.push_back(group);
  }

  // Reduces the containers to kMostSpots by replacing the deepest with their parents.
  const std::vector<std::uint32_t>& reduced() {
    leave_outermost();
    while (groups_.size() > kMostSpots) {
      std::size_t deepest = 0;
      for (const std::uint32_t group : groups_) deepest = std::max(deepest, depth_[group]);
      const std::vector<std::uint32_t> before = std::exchange(groups_, {});
      for (const std::uint32_t group : before) marked_[group] = 0;
      for (const std::uint32_t group : before) {
        add(depth_[group] == deepest && deepest > 0 ? outline_.groups[group].parent : group);
      }
      leave_outermost();
    }
    return groups_;
  }

 private:
  // Removes containers that are inside of others.
  void leave_outermost() {
    std::erase_if(groups_, [&](std::uint32_t group) {
      for (std::uint32_t above = outline_.groups[group].parent; above != kNone;
           above = outline_.groups[above].parent) {
        if (marked_[above] != 0) return true;
      }
      return false;
    });
  }

  const Outline& outline_;
  std::vector<std::size_t> depth_;     ///< by group: number of groups around it
  std::vector<char> marked_;           ///< by group: 1 if it was added
  std::vector<std::uint32_t> groups_;  ///< the containers
};

// Part::what of a unit.
std::string_view detail_name(const Unit& unit) {
  switch (unit.shown) {
    case Detail::absent: return "dropped";
    case Detail::index_row: return "row";
    case Detail::brief: return unit.value.is_string() ? "clipped" : "brief";
    case Detail::whole: return "whole";
  }
  return "dropped";
}

// Collects the lines of an explanation; adjacent items that are shown alike become one line.
class Parts {
 public:
  explicit Parts(const Outline& outline) : outline_(outline) {}

  void add(const Spot& spot, std::string_view what, std::int64_t tokens) {
    if (count_ > 0 && spot_.group == spot.group && spot_.last + 1 == spot.first && what_ == what &&
        spot.group != kNone && outline_.groups[spot.group].value.is_array()) {
      spot_.last = spot.last;
      tokens_ += tokens;
      count_ += spot.last - spot.first + 1;
      return;
    }
    flush();
    spot_ = spot;
    what_ = what;
    tokens_ = tokens;
    count_ = spot.last - spot.first + 1;
  }

  std::vector<Part> take() {
    flush();
    return std::move(parts_);
  }
  void append(Part part) {
    flush();
    parts_.push_back(std::move(part));
  }

 private:
  void flush() {
    if (count_ == 0) return;
    parts_.push_back({pointer_of(outline_, spot_), what_, count_,
                      static_cast<std::size_t>(tokens_ > 0 ? tokens_ : 0)});
    count_ = 0;
  }

  const Outline& outline_;
  std::vector<Part> parts_;
  // The line that add() extends; append() and take() finish it.
  Spot spot_;
  std::string_view what_;
  std::int64_t tokens_ = 0;
  std::size_t count_ = 0;  ///< 0: there is no such line
};

void add_group(Parts& parts, const Plan& plan, std::uint32_t index) {
  const Group& group = plan.outline().groups[index];
  std::uint32_t next = 0;
  for (const Child& child : group.children) {
    if (child.position > next) {
      parts.add({index, next, child.position - 1}, "dropped", /*tokens=*/0);
    }
    next = child.position + 1;
    if (child.is_group) continue;
    const Unit& unit = plan.outline().units[child.index];
    parts.add({index, child.position, child.position}, detail_name(unit), plan.tokens(unit));
  }
  if (next < group.count) {
    const auto last = static_cast<std::uint32_t>(group.count) - 1;
    parts.add({index, next, last}, "dropped", /*tokens=*/0);
  }
}

}  // namespace

std::int64_t token_cost(const std::vector<std::string>& places, const Counter& counter) {
  std::string text = "[";
  for (const std::string& place : places) {
    if (text.size() > 1) text += ',';
    text += json::quote(place);
  }
  text += ']';
  return counter.tokens(text);
}

std::string pointer_of(const Outline& outline, const Spot& spot) {
  if (spot.group == kNone) return {};
  const Group& group = outline.groups[spot.group];
  if (group.value.is_array()) {
    return spot.first == spot.last ? fmt::format("{}/{}", group.pointer, spot.first)
                                   : fmt::format("{}/{}..{}", group.pointer, spot.first, spot.last);
  }
  const auto child = std::lower_bound(
      group.children.begin(), group.children.end(), spot.first,
      [](const Child& a, std::uint32_t position) { return a.position < position; });
  if (spot.first != spot.last || child == group.children.end() || child->position != spot.first) {
    return group.pointer;
  }
  return child->is_group ? outline.groups[child->index].pointer
                         : outline.pointer(outline.units[child->index]);
}

std::vector<std::string> covering_pointers(const Outline& outline, std::vector<Spot> spots,
                                           std::int64_t tokens, bool exact,
                                           const Counter& counter) {
  if (spots.empty()) return {};
  std::vector<std::string> places;
  for (std::size_t most = exact ? kMostExactSpots : kMostSpots; most > 0; most /= 2) {
    join_near(outline, spots, most);
    if (spots.size() > most) break;
    places.clear();
    for (const Spot& spot : spots) places.push_back(pointer_of(outline, spot));
    if (token_cost(places, counter) <= tokens) return places;
  }
  if (places.empty()) {
    // Still too many (members of objects, or many lists): reports their containers instead.
    Containers containers(outline);
    for (const Spot& spot : spots) containers.add(spot.group);
    for (const std::uint32_t group : containers.reduced()) {
      places.push_back(outline.groups[group].pointer);
    }
  }
  remove_covered(places);
  while (token_cost(places, counter) > tokens) {
    auto longest = std::max_element(
        places.begin(), places.end(),
        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    if (longest->empty()) break;
    *longest = parent(*longest);
    remove_covered(places);
  }
  return places;
}

void add_places(std::vector<std::string>& places, const std::vector<std::string>& more) {
  if (more.empty()) return;
  places.insert(places.end(), more.begin(), more.end());
  remove_covered(places);
}

std::vector<model::RecordRange> items_left(const Outline& outline, Form form,
                                           const std::string& pointer) {
  const bool shows_data = form == Form::data || form == Form::sample;
  std::vector<model::RecordRange> left;
  std::size_t next = 0;
  const auto leave = [&](std::size_t end) {  // the items from `next` to before `end` are not shown
    if (next < end) left.push_back({next, end - 1});
  };
  const auto group = std::ranges::find(outline.groups, pointer, &Group::pointer);
  if (group != outline.groups.end() && group->value.is_array()) {
    for (const Child& child : group->children) {
      if (!shows_data || !outline.is_shown(child)) continue;
      leave(child.position);
      next = child.position + 1;
    }
    leave(group->count);
    return left;
  }
  // A list that was not opened is shown whole or not at all.
  const auto unit = std::ranges::find_if(outline.units, [&](const Unit& one) {
    return one.value.is_array() && outline.pointer(one) == pointer;
  });
  const bool whole = unit != outline.units.end() && unit->shown == Detail::whole;
  if (whole && shows_data) return left;
  const auto path = json::Pointer::parse(pointer);
  const auto list = path ? path->resolve(outline.payload) : std::nullopt;
  leave(list ? list->size() : 0);
  return left;
}

std::vector<Part> explain(const Plan& plan, Form form) {
  const Outline& outline = plan.outline();
  Parts parts(outline);
  if (form == Form::data || form == Form::sample) {
    for (std::uint32_t i = 0; i < outline.groups.size(); ++i) add_group(parts, plan, i);
    if (outline.groups.empty()) {
      parts.add({}, detail_name(outline.units[0]), plan.tokens(outline.units[0]));
    }
  } else {
    parts.append({.pointer = "", .what = "dropped", .count = 1, .tokens = 0});
  }
  if (form == Form::reference || form == Form::bare) return parts.take();
  for (const Fact& fact : plan.facts()) {
    if (!fact.shown) continue;
    parts.append({.pointer = fact.pointer,
                  .what = "facts",
                  .count = 1,
                  .tokens = static_cast<std::size_t>(fact.cost.tokens)});
  }
  for (const Text& text : outline.texts) {
    if (text.rows == 0) continue;
    std::int64_t tokens = 0;
    for (std::size_t i = 0; i < text.row_shown.size(); ++i) {
      if (text.row_shown[i] != 0) tokens += text.row_costs[i]->tokens;
    }
    parts.append({outline.pointer(outline.units[text.unit]), "lines", text.rows,
                  static_cast<std::size_t>(tokens)});
  }
  return parts.take();
}

}  // namespace enfold::budget::detail

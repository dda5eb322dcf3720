// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/detail/report.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>
#include <unordered_set>

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kMostSpots = 8;

// Joins the nearest neighbours of the same list until few enough are left.
void join_near(const Outline& outline, std::vector<Spot>& spots) {
  std::vector<std::uint32_t> gaps;
  const auto gap = [&](std::size_t i) -> std::uint32_t {
    const bool same = spots[i].group == spots[i - 1].group && spots[i].group != kNone &&
                      outline.groups[spots[i].group].value.is_array();
    return same ? spots[i].first - spots[i - 1].last : UINT32_MAX;
  };
  for (std::size_t i = 1; i < spots.size(); ++i) gaps.push_back(gap(i));
  if (spots.size() <= kMostSpots) return;
  const std::size_t joins = spots.size() - kMostSpots;
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

// Each place once, and none that lies inside another.
void tidy(std::vector<std::string>& places) {
  const std::unordered_set<std::string_view> known(places.begin(), places.end());
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> kept;
  for (const std::string& place : places) {
    bool inside = false;
    for (std::string_view above = place; !above.empty() && !inside;) {
      above = above.substr(0, above.rfind('/'));
      inside = known.contains(above);
    }
    if (!inside && seen.insert(place).second) kept.push_back(place);
  }
  places = std::move(kept);
}

std::ptrdiff_t depth(const std::string& pointer) {
  return std::count(pointer.begin(), pointer.end(), '/');
}

// The containers of those that lie deepest.
void lift_deepest(std::vector<std::string>& places) {
  std::ptrdiff_t deepest = 0;
  for (const std::string& place : places) deepest = std::max(deepest, depth(place));
  for (std::string& place : places) {
    if (depth(place) == deepest) place = parent(place);
  }
  tidy(places);
}

}  // namespace

std::int64_t price(const std::vector<std::string>& places, const Counter& counter) {
  std::string text = "[";
  for (const std::string& place : places) {
    if (text.size() > 1) text += ',';
    text += json::quote(place);
  }
  text += ']';
  return counter.tokens(text);
}

std::string place(const Outline& outline, const Spot& spot) {
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

std::vector<std::string> cover(const Outline& outline, std::vector<Spot> spots, std::int64_t tokens,
                               const Counter& counter) {
  if (spots.empty()) return {};
  join_near(outline, spots);
  std::vector<std::string> places;
  // Still too many: members of objects, or many lists. Their containers stand for them.
  const bool by_container = spots.size() > kMostSpots;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (!by_container || spots[i].group == kNone) {
      places.push_back(place(outline, spots[i]));
    } else if (i == 0 || spots[i - 1].group != spots[i].group) {
      places.push_back(outline.groups[spots[i].group].pointer);
    }
  }
  tidy(places);
  while (places.size() > kMostSpots) lift_deepest(places);
  while (price(places, counter) > tokens) {
    auto longest = std::max_element(
        places.begin(), places.end(),
        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    if (longest->empty()) break;
    *longest = parent(*longest);
    tidy(places);
  }
  return places;
}

}  // namespace enfold::budget::detail

// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/detail/report.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

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
  std::vector<std::string> kept;
  for (const std::string& place : places) {
    const bool inside = std::any_of(places.begin(), places.end(), [&](const std::string& other) {
      return other.size() < place.size() && place.starts_with(other) && place[other.size()] == '/';
    });
    if (!inside && std::find(kept.begin(), kept.end(), place) == kept.end()) kept.push_back(place);
  }
  places = std::move(kept);
}

std::int64_t price(const std::vector<std::string>& places, const Counter& counter) {
  json::Writer writer;
  writer.begin_array();
  for (const std::string& place : places) writer.string(place);
  writer.end_array();
  return counter.tokens(std::move(writer).finish().str());
}

}  // namespace

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
  for (const Spot& spot : spots) {
    std::string text = by_container && spot.group != kNone ? outline.groups[spot.group].pointer
                                                           : place(outline, spot);
    if (std::find(places.begin(), places.end(), text) == places.end()) {
      places.push_back(std::move(text));
    }
  }
  tidy(places);
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

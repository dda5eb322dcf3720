// SPDX-License-Identifier: Apache-2.0
// The order of items by policy: items that contain terms of the call's arguments first, then by the
// member `order_by`, then by position.
#include "enfold/base/text.h"
#include "enfold/budget/survey/survey.h"
#include "enfold/json/number.h"

#include <algorithm>
#include <array>
#include <bit>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr std::size_t kMostTerms = 8;  // one bit each in std::uint8_t; more terms are ignored

struct RankedItem {
  std::uint32_t position;
  std::uint32_t weight = 0;  ///< sum of the weights of the terms that it contains
  View by;                   ///< value of the ordering member; null if the item lacks it
};

// Compares numbers by value, other values of one kind by text, kinds in the order of json::Kind.
int compare(View a, View b) {
  if (a.is_number() && b.is_number()) {
    const auto order = json::Number(a.raw()) <=> json::Number(b.raw());
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  if (a.kind() != b.kind()) return a.kind() < b.kind() ? -1 : 1;
  const int order = a.raw().compare(b.raw());
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

// For each item, a mask of the terms that its JSON text contains: bit i for terms[i].
std::vector<std::uint8_t> term_masks(View list, const std::vector<std::string>& terms) {
  std::vector<std::uint8_t> masks;
  masks.reserve(list.size());
  for (const View item : list.items()) {
    const std::string text = to_lower(item.raw());
    std::uint8_t mask = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (text.find(terms[i]) != std::string::npos)
        mask = static_cast<std::uint8_t>(mask | 1U << i);
    }
    masks.push_back(mask);
  }
  return masks;
}

// The weight of each term. Rarer terms have more; a term in half of the items or more has none.
std::array<std::uint32_t, kMostTerms> term_weights(const std::vector<std::uint8_t>& masks) {
  std::array<std::size_t, kMostTerms> items_with{};
  for (const std::uint8_t mask : masks) {
    for (std::size_t i = 0; i < kMostTerms; ++i) items_with[i] += mask >> i & 1U;
  }
  std::array<std::uint32_t, kMostTerms> weight{};
  for (std::size_t i = 0; i < kMostTerms; ++i) {
    if (items_with[i] == 0 || items_with[i] * 2 >= masks.size()) continue;
    weight[i] = 1 + static_cast<std::uint32_t>(std::bit_width(masks.size() / items_with[i]));
  }
  return weight;
}

}  // namespace

std::vector<Place> preferred_items(View list, const Policy& policy, std::size_t most) {
  std::vector<std::string> terms;
  for (const std::string& term : policy.terms) {
    if (!term.empty() && terms.size() < kMostTerms) terms.push_back(to_lower(term));
  }
  if ((terms.empty() && policy.order_by.empty()) || list.size() == 0) return {};
  const bool descending = policy.order_by.starts_with('-');
  const std::string member = policy.order_by.substr(descending ? 1 : 0);

  const auto masks = terms.empty() ? std::vector<std::uint8_t>{} : term_masks(list, terms);
  const auto weight = term_weights(masks);
  std::vector<RankedItem> ranking;
  ranking.reserve(list.size());
  for (const View item : list.items()) {
    RankedItem ranked{static_cast<std::uint32_t>(ranking.size())};
    for (std::size_t i = 0; !masks.empty() && i < terms.size(); ++i) {
      if (masks[ranked.position] >> i & 1U) ranked.weight += weight[i];
    }
    if (!member.empty()) ranked.by = item.find(member).value_or(View());
    ranking.push_back(ranked);
  }
  most = std::min(most, ranking.size());
  std::partial_sort(ranking.begin(), ranking.begin() + static_cast<std::ptrdiff_t>(most),
                    ranking.end(), [&](const RankedItem& a, const RankedItem& b) {
                      if (a.weight != b.weight) return a.weight > b.weight;
                      // Items without the member come last, in both directions.
                      if (a.by.is_null() != b.by.is_null()) return b.by.is_null();
                      const int order = member.empty() ? 0 : compare(a.by, b.by);
                      if (order != 0) return descending ? order > 0 : order < 0;
                      return a.position < b.position;
                    });
  // Without `order_by`, items that contain no term are left out; the caller adds them by position.
  if (member.empty()) {
    while (most > 0 && ranking[most - 1].weight == 0) --most;
  }
  ranking.resize(most);

  // Collects the items in one pass over the list, because finding one by position takes linear
  // time.
  std::vector<Place> places(most);
  std::vector<std::size_t> rank_of(list.size(), SIZE_MAX);
  for (std::size_t i = 0; i < most; ++i) rank_of[ranking[i].position] = i;
  std::uint32_t position = 0;
  for (const View item : list.items()) {
    if (rank_of[position] != SIZE_MAX) places[rank_of[position]] = {position, item};
    ++position;
  }
  return places;
}

}  // namespace enfold::budget::detail

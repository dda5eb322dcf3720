// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/suggest.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace enfold {
namespace {

constexpr std::size_t kLongestName = 64;  // the distance takes quadratic time

// Damerau-Levenshtein distance: insertions, deletions, substitutions, adjacent transpositions.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> known) {
  if (typed.empty() || typed.size() > kLongestName) return {};
  const std::string wanted = to_lower(typed);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : known) {
    if (name.size() > kLongestName) continue;
    const std::string lower = to_lower(name);
    const bool begins = typed.size() >= 3 && lower.starts_with(wanted);
    const std::size_t far = begins ? 1 : distance(wanted, lower);
    if (far < least) {
      best = name;
      least = far;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> known,
                         const std::string& otherwise) {
  const std::string name = nearest_name(typed, known);
  return name.empty() ? otherwise : "did you mean " + name + "?";
}

}  // namespace enfold

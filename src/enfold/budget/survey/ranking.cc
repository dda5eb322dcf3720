// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/survey/ranking.h"

#include "enfold/json/number.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kKept = 4;  // one more than leading() gives, to see where a tie begins

// The number without thousands separators.
std::string plain(std::string_view number) {
  std::string text(number);
  std::erase(text, ',');
  return text;
}

// Compares as double, and exactly if the doubles are equal.
bool is_less(const Ranked& a, const Ranked& b) {
  if (a.number != b.number) return a.number < b.number;
  if (a.exact != b.exact) return a.exact < b.exact;
  return a.text != b.text && json::Number(plain(a.text)) < json::Number(plain(b.text));
}

}  // namespace

bool Ranking::is_before(const Ranked& a, const Ranked& b) const {
  return highest_ ? is_less(b, a) : is_less(a, b);
}

void Ranking::add_tie(const Ranked& one) {
  if (is_before(best_.front(), one)) return;
  ties_ += last_tie_ == one.place.position ? 0 : 1;
  last_tie_ = one.place.position;
}

void Ranking::add(const Ranked& one) {
  if (best_.size() == kKept) {  // most values end here
    const Ranked& last = best_.back();
    if (highest_ ? one.number < last.number : one.number > last.number) return;
    // It comes before none that is kept, so it is not kept; but it may share the first place.
    if (one.number == last.number && !is_before(one, last)) return add_tie(one);
  }
  if (best_.empty()) best_.reserve(kKept + 1);
  if (best_.empty() || is_before(one, best_.front())) {
    ties_ = 1;
    last_tie_ = one.place.position;
  } else {
    add_tie(one);
  }
  const auto same = std::ranges::find_if(
      best_, [&](const Ranked& known) { return known.place.position == one.place.position; });
  if (same != best_.end()) {
    if (!is_before(one, *same)) return;
    best_.erase(same);
  }
  const auto at =
      std::ranges::find_if(best_, [&](const Ranked& known) { return is_before(one, known); });
  best_.insert(at, one);
  if (best_.size() > kKept) best_.pop_back();
}

std::vector<Ranked> Ranking::leading(std::size_t most) const {
  std::size_t count = std::min({most, best_.size(), kKept - 1});
  while (count > 0 && count < best_.size() && !is_before(best_[count - 1], best_[count])) --count;
  return {best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace enfold::budget::detail

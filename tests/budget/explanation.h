// SPDX-License-Identifier: Apache-2.0
// Whether an answer that was cut inside a schema says everything that is missing.
#pragma once

#include "enfold/json/pointer.h"
#include "tests/budget/truth.h"

#include <fmt/format.h>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace enfold::testing {

/// Whether a value can be the rest of another after some of it was left out, all of which is told:
/// all of it in the report and, where a schema forbids marks, among the places that are not shown.
class Explanation {
 public:
  /// Borrows both: JSON Pointers and ranges. `dropped`: those that are named as not shown; `gaps`:
  /// all of the report.
  Explanation(const std::vector<std::string>& dropped, const std::vector<std::string>& gaps)
      : dropped_(dropped), gaps_(gaps) {}

  bool holds(json::View shown, json::View whole, const std::string& pointer = "") {
    if (shown.kind() != whole.kind()) return false;
    if (shown.raw() == whole.raw() || json::equal(shown, whole)) return true;
    if (shown.is_string()) {
      return is_reported(gaps_, pointer, whole) && is_clip_of(shown.string(), whole.string());
    }
    if (shown.is_object()) return holds_members(shown, whole, pointer);
    return shown.is_array() && holds_items(shown, whole, pointer);
  }

 private:
  bool holds_members(json::View shown, json::View whole, const std::string& pointer) {
    auto next = shown.members().begin();
    std::size_t absent = 0;
    bool told = true;
    for (const auto& [key, value] : whole.members()) {
      std::string place = pointer;
      json::append_token(place, key.string());
      if (next != shown.members().end() && (*next).key.raw() == key.raw()) {
        if (!holds((*next).value, value, place)) return false;
        ++next;
      } else {
        if (!is_reported(gaps_, place, value)) return false;
        ++absent;
        told = told && is_reported(dropped_, place, value);
      }
    }
    if (next == shown.members().end()) return told;
    const std::string mark = fmt::format("+{} member{}", absent, absent == 1 ? "" : "s");
    const bool marked = absent > 0 && (*next).key.equals("…") && (*next).value.equals(mark);
    return marked && ++next == shown.members().end();
  }

  // Items that look alike may each be the one that is shown, so every way is tried.
  bool holds_items(json::View shown, json::View whole, const std::string& pointer) {
    std::vector<json::View> here;
    std::vector<json::View> there;
    for (const json::View item : shown.items()) here.push_back(item);
    for (const json::View item : whole.items()) there.push_back(item);
    std::set<std::pair<std::size_t, std::size_t>> hopeless;
    const std::function<bool(std::size_t, std::size_t)> rest = [&](std::size_t i, std::size_t j) {
      if (j == there.size()) return i == here.size();
      if (hopeless.contains({i, j})) return false;
      const std::string place = fmt::format("{}/{}", pointer, j);
      if (i < here.size() && holds(here[i], there[j], place) && rest(i + 1, j + 1)) return true;
      if (is_reported(dropped_, place, there[j]) && rest(i, j + 1)) return true;
      const std::size_t marked = i < here.size() ? items_missing_by(here[i]) : 0;
      if (marked > 0 && marked <= there.size() - j && rest(i + 1, j + marked)) return true;
      hopeless.insert({i, j});
      return false;
    };
    return rest(0, 0);
  }

  const std::vector<std::string>& dropped_;
  const std::vector<std::string>& gaps_;
};

}  // namespace enfold::testing

// SPDX-License-Identifier: Apache-2.0
// Compares a cut payload with the original, without knowing how it was cut.
#pragma once

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::testing {

/// "prefix…[+N bytes]" with N bytes missing of the original; of a long text of several lines
/// mostly "prefix…[stopped at line L of T, +N bytes]", L being the last line that is there in part.
inline bool is_clip_of(const std::string& shown, const std::string& whole) {
  const std::size_t mark = shown.rfind("…[");
  if (mark == std::string::npos) return false;
  const std::string prefix = shown.substr(0, mark);
  if (!whole.starts_with(prefix)) return false;
  const auto lines = [](const std::string& text) {
    const auto feeds = std::count(text.begin(), text.end(), '\n');
    return feeds + (text.empty() || text.ends_with('\n') ? 0 : 1);
  };
  const std::size_t missing = whole.size() - prefix.size();
  const std::string_view marker = std::string_view(shown).substr(mark);
  return marker == fmt::format("…[+{} bytes]", missing) ||
         marker == fmt::format("…[stopped at line {} of {}, +{} bytes]", lines(prefix),
                               lines(whole), missing);
}

/// Everything shown stands in the original, in order and of its type. Appends the places where
/// something is missing: pointers of absent members, items and clipped strings.
inline bool is_true_cut(json::View shown, json::View whole, std::vector<std::string>& missing,
                        const std::string& pointer = "") {
  if (shown.kind() != whole.kind()) return false;
  if (json::equal(shown, whole)) return true;
  if (shown.is_string()) {
    missing.push_back(pointer);
    return is_clip_of(shown.string(), whole.string());
  }
  if (!shown.is_container()) return shown.raw() == whole.raw();
  if (shown.is_object()) {
    auto next = shown.members().begin();
    for (const auto& [key, value] : whole.members()) {
      std::string place = pointer;
      json::append_token(place, key.string());
      if (next != shown.members().end() && (*next).key.raw() == key.raw()) {
        if (!is_true_cut((*next).value, value, missing, place)) return false;
        ++next;
      } else {
        missing.push_back(place);
      }
    }
    return next == shown.members().end();
  }
  auto next = shown.items().begin();
  std::size_t position = 0;
  for (const json::View item : whole.items()) {
    const std::string place = fmt::format("{}/{}", pointer, position++);
    std::vector<std::string> inside;
    if (next != shown.items().end() && is_true_cut(*next, item, inside, place)) {
      missing.insert(missing.end(), inside.begin(), inside.end());
      ++next;
    } else {
      missing.push_back(place);
    }
  }
  return next == shown.items().end();
}

/// Whether a place of a report ("/a", "/items/3..17", "") holds this pointer.
inline bool covers(const std::string& place, const std::string& pointer) {
  if (pointer == place || (pointer.starts_with(place) && pointer[place.size()] == '/')) return true;
  const std::size_t dots = place.rfind("..");
  const std::size_t slash = place.rfind('/');
  if (dots == std::string::npos || slash == std::string::npos || dots < slash) return false;
  if (!pointer.starts_with(place.substr(0, slash + 1))) return false;
  const auto number = [](std::string_view text) {
    std::size_t value = SIZE_MAX;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const std::size_t at = number(std::string_view(pointer).substr(slash + 1));
  return at != SIZE_MAX && at >= number(std::string_view(place).substr(slash + 1)) &&
         at <= number(std::string_view(place).substr(dots + 2));
}

/// Whether the report holds this place, as itself or through everything that is in it.
inline bool is_reported(const std::vector<std::string>& places, const std::string& pointer,
                        json::View value) {
  for (const std::string& place : places) {
    if (covers(place, pointer)) return true;
  }
  if (value.size() == 0) return false;
  for (const auto& [key, member] : value.members()) {
    std::string inner = pointer;
    json::append_token(inner, key.string());
    if (!is_reported(places, inner, member)) return false;
  }
  std::size_t position = 0;
  for (const json::View item : value.items()) {
    if (!is_reported(places, fmt::format("{}/{}", pointer, position++), item)) return false;
  }
  return true;
}

}  // namespace enfold::testing

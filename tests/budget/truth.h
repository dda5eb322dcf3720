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

/// N of a mark "…[+N items]"; 0: it is none.
inline std::size_t items_missing_by(json::View shown) {
  if (!shown.is_string()) return 0;
  const std::string text = shown.string();
  std::size_t count = 0;
  if (!text.starts_with("…[+")) return 0;
  const char* const begin = text.data() + std::string_view("…[+").size();
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  return unit == (count == 1 ? " item]" : " items]") ? count : 0;
}

/// What a cut payload does not show.
struct Missing {
  std::vector<std::string> places;  ///< pointers of absent members, items and clipped strings
  std::size_t count = 0;            ///< absent members and items, and lines of clipped strings
};

/// The items of a list without the marks among them.
inline std::vector<json::View> records_of(json::View list) {
  std::vector<json::View> records;
  for (const json::View item : list.items()) {
    if (items_missing_by(item) == 0) records.push_back(item);
  }
  return records;
}

/// Whether a mark must stand wherever something is missing: not inside of schemas.
enum class Marks { needed, optional };

bool is_true_cut(json::View shown, json::View whole, Missing& missing,
                 const std::string& pointer = "", Marks marks = Marks::needed);

inline bool is_true_object(json::View shown, json::View whole, Missing& missing,
                           const std::string& pointer, Marks marks) {
  auto next = shown.members().begin();
  std::size_t absent = 0;
  for (const auto& [key, value] : whole.members()) {
    std::string place = pointer;
    json::append_token(place, key.string());
    if (next != shown.members().end() && (*next).key.raw() == key.raw()) {
      if (!is_true_cut((*next).value, value, missing, place, marks)) return false;
      ++next;
    } else {
      ++absent;
      missing.places.push_back(place);
    }
  }
  missing.count += absent;
  if (next == shown.members().end()) return absent == 0 || marks == Marks::optional;
  const std::string mark = fmt::format("+{} member{}", absent, absent == 1 ? "" : "s");
  const bool is_mark = absent > 0 && (*next).key.equals("…") && (*next).value.equals(mark);
  return is_mark && ++next == shown.members().end();
}

inline bool is_true_array(json::View shown, json::View whole, Missing& missing,
                          const std::string& pointer, Marks marks) {
  auto next = shown.items().begin();
  const auto end = shown.items().end();
  std::size_t marked = 0;  // items that the last mark leaves out and that are still to come
  std::size_t position = 0;
  for (const json::View item : whole.items()) {
    const std::string place = fmt::format("{}/{}", pointer, position++);
    Missing inside;
    if (marked == 0 && next != end && is_true_cut(*next, item, inside, place, marks)) {
      missing.places.insert(missing.places.end(), inside.places.begin(), inside.places.end());
      missing.count += inside.count;
      ++next;
      continue;
    }
    if (marked == 0 && next != end) {
      marked = items_missing_by(*next);
      if (marked > 0) ++next;
    }
    if (marked == 0 && marks == Marks::needed) return false;
    marked -= marked > 0 ? 1 : 0;
    missing.places.push_back(place);
    ++missing.count;
  }
  return marked == 0 && next == end;
}

/// Everything shown stands in the original, in order and of its type. Adds what is missing.
inline bool is_true_cut(json::View shown, json::View whole, Missing& missing,
                        const std::string& pointer, Marks marks) {
  if (shown.kind() != whole.kind()) return false;
  if (json::equal(shown, whole)) return true;
  if (shown.is_string()) {
    const std::string text = whole.string();
    const std::string prefix = shown.string().substr(0, shown.string().rfind("…["));
    const std::string rest = text.substr(std::min(prefix.size(), text.size()));
    auto lines = std::count(rest.begin(), rest.end(), '\n') + (rest.ends_with('\n') ? 0 : 1);
    if (!prefix.empty() && !prefix.ends_with('\n')) --lines;  // it is shown in part
    missing.places.push_back(pointer);
    missing.count += static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, lines));
    return is_clip_of(shown.string(), text);
  }
  if (!shown.is_container()) return shown.raw() == whole.raw();
  return shown.is_object() ? is_true_object(shown, whole, missing, pointer, marks)
                           : is_true_array(shown, whole, missing, pointer, marks);
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

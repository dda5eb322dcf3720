// SPDX-License-Identifier: Apache-2.0
// The marks that stand in a payload where items or members are missing. clip.h has the mark at the
// end of a clipped string.
#pragma once

#include <fmt/core.h>
#include <string>
#include <string_view>

namespace enfold::budget::detail {

/// The key of the member that counts missing members, quoted. An object with such a key of its own
/// is shown whole or not at all.
inline constexpr std::string_view kMissingKey = "\"…\"";

/// Estimated tokens of a mark and the comma before it.
inline constexpr int kMarkTokens = 7;

/// …[+3 items], where items of an array are missing.
[[nodiscard]] inline std::string items_mark(std::size_t count) {
  return fmt::format("…[+{} item{}]", count, count == 1 ? "" : "s");
}

/// +3 members, the value of the last member of an object.
[[nodiscard]] inline std::string members_mark(std::size_t count) {
  return fmt::format("+{} member{}", count, count == 1 ? "" : "s");
}

/// Lines in the escaped text of a string, and how many of them have a line end: \n or \u000a. A line
/// end at the end of the text begins no further line.
struct LineCount {
  std::size_t lines = 0;
  std::size_t ended = 0;
};
[[nodiscard]] inline LineCount count_lines(std::string_view source) {
  LineCount count;
  std::size_t begin = 0;  // of the line
  for (std::size_t at = source.find('\\'); at < source.size(); at = source.find('\\', at + 2)) {
    const std::string_view escape = source.substr(at, 6);
    const bool named = escape.starts_with("\\n");
    if (!named && escape != "\\u000a" && escape != "\\u000A") continue;
    ++count.ended;
    begin = at + (named ? 2 : 6);
  }
  count.lines = count.ended + (begin < source.size() ? 1 : 0);
  return count;
}

}  // namespace enfold::budget::detail

// SPDX-License-Identifier: Apache-2.0
// The marks that stand in a payload where items or members are missing. clip.h has the mark at the
// end of a clipped string.
#pragma once

#include <algorithm>
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

/// Lines of a clipped string, in its escaped text, of which nothing is shown, at least one. A line
/// end at the end of the text begins no further line.
[[nodiscard]] inline std::size_t lines_left(std::string_view shown, std::string_view rest) {
  std::size_t ended = 0;
  std::size_t begin = 0;  // of the line
  for (std::size_t at = rest.find('\\'); at < rest.size(); at = rest.find('\\', at + 2)) {
    const std::string_view escape = rest.substr(at, 6);
    const bool named = escape.starts_with("\\n");
    if (!named && escape != "\\u000a" && escape != "\\u000A") continue;
    ++ended;
    begin = at + (named ? 2 : 6);
  }
  const std::size_t lines = ended + (begin < rest.size() ? 1 : 0);
  const bool starts_line = shown.empty() || shown.ends_with("\\n") || shown.ends_with("\\u000a") ||
                           shown.ends_with("\\u000A");
  return std::max<std::size_t>(1, lines - (starts_line || lines == 0 ? 0 : 1));
}

}  // namespace enfold::budget::detail

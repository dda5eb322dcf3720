// SPDX-License-Identifier: Apache-2.0
// Lines and words of a decoded text. A line ends with a line feed; a line feed at the end of the
// text begins no further line.
#pragma once

#include "enfold/base/text.h"

#include <string_view>
#include <vector>

namespace enfold::budget::text {

inline constexpr std::string_view kBlank = " \t\r";

struct Line {
  std::size_t number = 0;  ///< from 1
  std::string_view text;   ///< without the line end
};

/// Calls `visit` with every line, in their order.
template <class Visit>
void each_line(std::string_view text, Visit&& visit) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(Line{number, line});
    at = end + 1;
  }
}

[[nodiscard]] inline std::size_t count_lines(std::string_view text) {
  std::size_t lines = text.empty() || text.ends_with('\n') ? 0 : 1;
  // Searching is faster than counting: line feeds are few.
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    ++lines;
  }
  return lines;
}

// These are called for every word: plain loops are faster than searches for one of three bytes.
[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
[[nodiscard]] inline bool is_blank(std::string_view line) {
  return std::ranges::all_of(line, [](char c) { return is_blank(c); });
}
[[nodiscard]] inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The first lines of a text that are not blank, from which its form is recognised.
struct Sample {
  static constexpr std::size_t kMostLines = 400;
  std::vector<std::string_view> lines;
  [[nodiscard]] std::string_view first() const {
    return lines.empty() ? std::string_view() : lines[0];
  }
  /// Whether the share `part`/`of` of the lines, and at least one line, satisfies the condition.
  template <class Condition>
  [[nodiscard]] bool most(std::size_t part, std::size_t of, Condition&& condition) const {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(lines, condition));
    return count > 0 && count * of >= lines.size() * part;
  }
};

[[nodiscard]] inline Sample sample_of(std::string_view text) {
  Sample sample;
  for (std::size_t at = 0; at < text.size() && sample.lines.size() < Sample::kMostLines;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (!is_blank(line)) {
      sample.lines.push_back(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
    }
    at = end + 1;
  }
  return sample;
}

/// Removes the next word, up to a blank, from the front of `rest`; empty: there is none.
[[nodiscard]] inline std::string_view take_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

[[nodiscard]] inline bool is_name_character(char c) {
  return is_alphanumeric(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

}  // namespace enfold::budget::text

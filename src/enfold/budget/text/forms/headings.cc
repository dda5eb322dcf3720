// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/forms/headings.h"

namespace enfold::budget::text {
namespace {

// The number of '#' before the title; 0: the line is no heading.
int heading_level(std::string_view line) {
  const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
  const bool good = marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ';
  return good ? static_cast<int>(marks) : 0;
}

// A line of = or - under a line of text makes that a heading of level 1 or 2; 0: another line.
int underline_level(std::string_view line) {
  line = without_blanks(line);
  if (line.size() < 3) return 0;
  if (line.find_first_not_of('=') == std::string_view::npos) return 1;
  return line.find_first_not_of('-') == std::string_view::npos ? 2 : 0;
}

bool may_be_underlined(std::string_view line) {
  return !line.empty() &&
         std::string_view(" \t#>-*+|=<:`~").find(line[0]) == std::string_view::npos;
}

}  // namespace

bool Fence::read(std::string_view line) {
  line = without_blanks(line);
  const std::size_t marks =
      std::min(line.find_first_not_of(line.empty() ? '`' : line[0]), line.size());
  const bool is_fence = marks >= 3 && (line[0] == '`' || line[0] == '~');
  begins_block_ = false;
  if (open_.empty()) {
    if (!is_fence || line.find('`', marks) != std::string_view::npos) return false;
    open_ = line.substr(0, marks);
    begins_block_ = true;
    std::string_view rest = line.substr(marks);
    language_ = take_word(rest);
  } else if (is_fence && marks == line.size() && line.starts_with(open_)) {
    open_ = {};
  }
  return true;
}

std::optional<Heading> HeadingReader::read(const Line& line) {
  is_text_ = false;
  if (in_front_matter_) {
    in_front_matter_ = line.number == 1 || !line.text.starts_with("---");
    return std::nullopt;
  }
  const std::array<Line, 2> before = before_;
  before_ = {line, before[0]};
  if (fence_.read(line.text)) return std::nullopt;
  is_text_ = true;
  const int under = underline_level(line.text);
  if (under > 0 && may_be_underlined(before[0].text) && is_blank(before[1].text)) {
    return Heading{.line = before[0], .level = under, .after_break = true};
  }
  const int level = heading_level(line.text);
  if (level == 0) return std::nullopt;
  return Heading{.line = line,
                 .level = level,
                 .after_break = is_blank(before[0].text) || before[0].text.starts_with("---")};
}

}  // namespace enfold::budget::text

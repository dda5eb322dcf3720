// SPDX-License-Identifier: Apache-2.0
// Markdown by its headings, with the size of each section.
#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/digest.h"

#include <array>
#include <fmt/core.h>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kMostNames = 16;  // in one fact

int heading_level(std::string_view line) {
  const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
  const bool good = marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ';
  return good ? static_cast<int>(marks) : 0;
}

/// Whether lines are inside of a block of code between ``` or ~~~.
class Fence {
 public:
  /// True: the line belongs to a block, or begins or ends one.
  bool read(std::string_view line) {
    line = without_blanks(line);
    const std::size_t marks =
        std::min(line.find_first_not_of(line.empty() ? '`' : line[0]), line.size());
    const bool is_fence = marks >= 3 && (line[0] == '`' || line[0] == '~');
    begins_ = false;
    if (open_.empty()) {
      if (!is_fence || line.find('`', marks) != std::string_view::npos) return false;
      open_ = line.substr(0, marks);
      begins_ = true;
      std::string_view rest = line.substr(marks);
      language_ = take_word(rest);
    } else if (is_fence && marks == line.size() && line.starts_with(open_)) {
      open_ = {};
    }
    return true;
  }
  [[nodiscard]] bool begins() const { return begins_; }
  [[nodiscard]] std::string_view language() const { return language_; }

 private:
  std::string_view open_, language_;
  bool begins_ = false;
};

// The text behind "- [ ] " or "- [x] " decides; 0: the line is no check box.
char box_of(std::string_view line) {
  line = without_blanks(line);
  const std::size_t open = line.find('[');
  if (open == std::string_view::npos || open < 2 || line.size() < open + 4) return 0;
  const std::string_view mark = without_blanks(line.substr(0, open));
  const bool bullet = mark == "-" || mark == "*" || mark == "+";
  const bool number =
      mark.size() > 1 && (mark.ends_with('.') || mark.ends_with(')')) &&
      std::ranges::all_of(mark.substr(0, mark.size() - 1), [](char c) { return is_digit(c); });
  const char inside = line[open + 1];
  if ((!bullet && !number) || line[open + 2] != ']' || line[open + 3] != ' ') return 0;
  return inside == ' ' || inside == 'x' || inside == 'X' ? inside : '\0';
}

// "warning" of "> **Warning:** …", "> [!WARNING]", "!!! warning", ":::warning"; empty: none.
std::string admonition_of(std::string_view line) {
  static constexpr std::array<std::string_view, 9> kKinds{
      "note", "tip", "hint", "important", "warning", "caution", "danger", "attention", "info"};
  line = trimmed(line, " \t\r>");
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kFrames{
      {{"**", ":**"}, {"**", "**:"}, {"[!", "]"}, {"!!! ", ""}, {":::", ""}, {"::: ", ""}}};
  for (const auto& [before, behind] : kFrames) {
    if (!line.starts_with(before)) continue;
    const std::string_view rest = line.substr(before.size());
    for (const std::string_view kind : kKinds) {
      if (!equals_ignoring_case(rest.substr(0, kind.size()), kind)) continue;
      const std::string_view end = rest.substr(kind.size());
      const bool is_word = end.empty() || !is_name_character(end[0]);
      if (is_word && end.starts_with(behind)) return std::string(kind);
    }
  }
  return {};
}

struct Heading {
  Line line;
  int level = 0;
  bool apart = false;  ///< behind a blank line
};

/// Headings, and what else readers count.
struct Outline {
  std::vector<Heading> headings;
  Counts levels, code, boxes, admonitions;
};

// A line of = or - under a line of text makes it a heading.
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

Outline outline_of(std::string_view text) {
  Outline found;
  Fence fence;
  std::array<Line, 2> before{};  // the last line first
  bool in_front_matter = text.starts_with("---\n") || text.starts_with("---\r\n");
  each_line(text, [&](const Line& line) {
    if (in_front_matter) {
      in_front_matter = line.number == 1 || !line.text.starts_with("---");
      return;
    }
    const bool apart = is_blank(before[0].text) || before[0].text.starts_with("---");
    const auto step = [&] { before = {line, before[0]}; };
    if (fence.read(line.text)) {
      if (fence.begins()) found.code.add(fence.language().empty() ? "none" : fence.language());
      return step();
    }
    int level = heading_level(line.text);
    Line heading = line;
    if (const int under = underline_level(line.text);
        under > 0 && may_be_underlined(before[0].text) && is_blank(before[1].text)) {
      level = under;
      heading = before[0];
    }
    if (level > 0) {
      found.headings.push_back({heading, level, apart || heading.number != line.number});
      found.levels.add(std::to_string(level));
    }
    if (const char box = box_of(line.text); box != 0)
      found.boxes.add(box == ' ' ? "open" : "ticked");
    if (const std::string kind = admonition_of(line.text); !kind.empty())
      found.admonitions.add(kind);
    step();
  });
  return found;
}

}  // namespace

bool is_markdown(std::string_view text) {
  const Outline outline = outline_of(text);
  const auto count = [&](auto&& condition) {
    return static_cast<std::size_t>(std::ranges::count_if(outline.headings, condition));
  };
  const std::size_t headings = outline.headings.size();
  const std::size_t apart = count([](const Heading& one) { return one.apart; });
  const bool deeper = count([](const Heading& one) { return one.level > 1; }) > 0;
  // Comments of scripts and configuration look like headings of level 1.
  const bool other_marks =
      text.find("](") != std::string_view::npos || text.find("\n```") != std::string_view::npos ||
      text.find("\n- ") != std::string_view::npos || text.find("\n* ") != std::string_view::npos;
  return headings >= 2 && apart * 3 >= headings * 2 && (deeper || other_marks);
}

void digest_markdown(std::string_view text, std::size_t most, Digest& digest) {
  const Outline outline = outline_of(text);
  digest.head = Head::few;
  digest.columns = {"text", "lines"};
  digest.add("headings", outline.headings.size());
  digest.add("", "headings_by_level", written(outline.levels.by_name(), 6));
  const auto add = [&](const char* name, const Counts& counts) {
    if (!counts.empty()) digest.add("", name, written(counts.by_count(), kMostNames));
  };
  add("check_boxes", outline.boxes);
  add("code_blocks", outline.code);
  add("admonitions", outline.admonitions);
  digest.left_out += outline.headings.size() - std::min(outline.headings.size(), most);
  for (std::size_t i = 0; i < std::min(outline.headings.size(), most); ++i) {
    const Heading& heading = outline.headings[i];
    // A section ends at the next heading of its level or above.
    const auto next = std::find_if(outline.headings.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   outline.headings.end(),
                                   [&](const Heading& one) { return one.level <= heading.level; });
    const std::size_t end = next == outline.headings.end() ? digest.lines + 1 : next->line.number;
    digest.rows.push_back(row_of(heading.line));
    digest.rows.back().cells += fmt::format(",{}", end - heading.line.number);
  }
}

}  // namespace enfold::budget::text

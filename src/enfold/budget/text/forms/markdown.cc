// SPDX-License-Identifier: Apache-2.0
// Markdown by its headings, with the size of each section.
#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/digest.h"
#include "enfold/budget/text/forms/headings.h"

#include <array>
#include <fmt/core.h>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kMostNames = 16;  // in one fact

// The character between the brackets of "- [ ] …" or "- [x] …": a space, x or X; 0: the line is no
// check box.
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
  for (const auto& [before, after] : kFrames) {
    if (!line.starts_with(before)) continue;
    const std::string_view rest = line.substr(before.size());
    for (const std::string_view kind : kKinds) {
      if (!equals_ignoring_case(rest.substr(0, kind.size()), kind)) continue;
      const std::string_view end = rest.substr(kind.size());
      const bool is_word = end.empty() || !is_name_character(end[0]);
      if (is_word && end.starts_with(after)) return std::string(kind);
    }
  }
  return {};
}

/// Headings, and what else the facts count.
struct Outline {
  std::vector<Heading> headings;
  Counts levels;  ///< of headings
  Counts code;    ///< blocks of code, by language
  Counts boxes, admonitions;
};

Outline outline_of(std::string_view text) {
  Outline found;
  HeadingReader reader(text);
  each_line(text, [&](const Line& line) {
    const auto heading = reader.read(line);
    if (reader.fence().begins_block()) {
      const std::string_view language = reader.fence().language();
      found.code.add(language.empty() ? "none" : language);
    }
    if (!reader.is_text()) return;
    if (heading) {
      found.headings.push_back(*heading);
      found.levels.add(std::to_string(heading->level));
    }
    if (const char box = box_of(line.text); box != 0)
      found.boxes.add(box == ' ' ? "open" : "ticked");
    if (const std::string kind = admonition_of(line.text); !kind.empty())
      found.admonitions.add(kind);
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
  const std::size_t after_break = count([](const Heading& one) { return one.after_break; });
  const bool deeper = count([](const Heading& one) { return one.level > 1; }) > 0;
  // Comments of scripts and configuration look like headings of level 1.
  const bool other_marks =
      text.find("](") != std::string_view::npos || text.find("\n```") != std::string_view::npos ||
      text.find("\n- ") != std::string_view::npos || text.find("\n* ") != std::string_view::npos;
  return headings >= 2 && after_break * 3 >= headings * 2 && (deeper || other_marks);
}

void digest_markdown(std::string_view text, std::size_t most, Digest& digest) {
  const Outline outline = outline_of(text);
  digest.head = Head::few;
  digest.columns = {"text", "lines"};
  digest.add("headings", outline.headings.size());
  digest.add("", "headings_by_level", written(outline.levels.by_name(), /*most=*/6));
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

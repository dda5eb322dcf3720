// SPDX-License-Identifier: Apache-2.0
// Headings of Markdown, line by line: "## Title", and titles with a line of = or - under them.
#pragma once

#include "enfold/budget/text/lines.h"

#include <array>
#include <optional>

namespace enfold::budget::text {

/// Finds blocks of code between lines of ``` or ~~~.
class Fence {
 public:
  /// Takes the lines in their order. True: the line belongs to a block, or begins or ends one.
  bool read(std::string_view line);
  /// Whether the line that was read last begins a block.
  [[nodiscard]] bool begins_block() const { return begins_block_; }
  /// The language of the block that began last, as its first line names it; empty: none.
  [[nodiscard]] std::string_view language() const { return language_; }

 private:
  std::string_view open_;  ///< the mark that began the open block; empty: none is open
  std::string_view language_;
  bool begins_block_ = false;
};

struct Heading {
  Line line;
  int level = 0;             ///< 1 to 6; of an underlined title 1 or 2
  bool after_break = false;  ///< the line before it is blank or begins with ---, or there is none
};

/// Finds the headings of one text. Lines of code and front matter are no headings.
class HeadingReader {
 public:
  explicit HeadingReader(std::string_view text)
      : in_front_matter_(text.starts_with("---\n") || text.starts_with("---\r\n")) {}

  /// The heading that this line is, or that it underlines; nullopt: neither. Takes every line, in
  /// their order.
  std::optional<Heading> read(const Line& line);
  /// Whether the line that was read last is neither code nor front matter.
  [[nodiscard]] bool is_text() const { return is_text_; }
  [[nodiscard]] const Fence& fence() const { return fence_; }

 private:
  Fence fence_;
  std::array<Line, 2> before_{};  ///< the two lines that were read last, the last one first
  bool in_front_matter_;
  bool is_text_ = false;
};

}  // namespace enfold::budget::text

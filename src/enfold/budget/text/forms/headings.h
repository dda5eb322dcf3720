// SPDX-License-Identifier: Apache-2.0
// Headings of Markdown, line by line: "## Title", and titles with a line of = or - under them.
#pragma once

#include "enfold/budget/text/lines.h"

#include <array>
#include <optional>

namespace enfold::budget::text {

/// Whether lines are inside of a block of code between ``` or ~~~.
class Fence {
 public:
  /// True: the line belongs to a block, or begins or ends one.
  bool read(std::string_view line);
  [[nodiscard]] bool begins() const { return begins_; }
  [[nodiscard]] std::string_view language() const { return language_; }

 private:
  std::string_view open_, language_;
  bool begins_ = false;
};

struct Heading {
  Line line;
  int level = 0;
  bool apart = false;  ///< behind a blank line
};

/// Finds the headings of one text. Lines of code and front matter are none.
class HeadingReader {
 public:
  explicit HeadingReader(std::string_view text)
      : in_front_matter_(text.starts_with("---\n") || text.starts_with("---\r\n")) {}

  /// The heading that this line is, or that it underlines. Takes every line, in their order.
  std::optional<Heading> read(const Line& line);
  /// Whether the last line may be text: it is neither code nor front matter.
  [[nodiscard]] bool is_text() const { return is_text_; }
  [[nodiscard]] const Fence& fence() const { return fence_; }

 private:
  Fence fence_;
  std::array<Line, 2> before_{};  ///< the last line first
  bool in_front_matter_;
  bool is_text_ = false;
};

}  // namespace enfold::budget::text

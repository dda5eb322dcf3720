// SPDX-License-Identifier: Apache-2.0
// Lines that differ only in numbers, ids, paths and names, counted under one pattern.
//
// A line is divided at blanks. A word that holds a digit, '/', '\' or '@' becomes "<*>"; if letters
// and one of "=", ":" come first in it, they stay: id=17 becomes id=<*>. Then patterns of which at
// least six differ in one word only are joined, with "<*>" for this word; and those that differ in
// several words with at least six variants each.
#pragma once

#include "enfold/budget/text/lines.h"

#include <string>
#include <unordered_map>

namespace enfold::budget::text {

/// The numbers that the lines of a pattern have at one place.
struct NumberAt {
  bool always = true;  ///< every line has a number there
  double high = 0;
  Line at;                       ///< the first line with `high`
  double mean = 0, squares = 0;  ///< running mean and sum of squares
};

struct Pattern {
  std::string text;
  std::size_t count = 0;  ///< lines
  Line first;
  bool severe = false;              ///< one of the lines has a severe level
  std::vector<NumberAt> numbers{};  ///< by place of "<*>", of the first ones
};

/// Lines with a number far above those of the other lines of their pattern, the farthest first.
[[nodiscard]] std::vector<Line> outliers(const std::vector<Pattern>& patterns);

class Patterns {
 public:
  /// `line` without its time stamp. Borrows the lines.
  void add(const Line& whole, std::string_view before, std::string_view behind, bool severe);
  /// By count, the most frequent first, then by line. Empty: the lines have too little in common.
  [[nodiscard]] std::vector<Pattern> take();

 private:
  void join_variants();
  void join_names();
  void join(const std::string& text, std::vector<std::uint32_t> members);
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::vector<Pattern> patterns_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> known_;
  std::string scratch_;
  std::vector<double> numbers_;
  std::size_t lines_ = 0;
  std::size_t last_ = 0;  ///< index of the pattern of the last line
  bool too_many_ = false;
};

}  // namespace enfold::budget::text

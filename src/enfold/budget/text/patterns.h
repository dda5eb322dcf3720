// SPDX-License-Identifier: Apache-2.0
// Lines that differ only in numbers, ids, paths and names, counted under one pattern.
//
// A line is divided at blanks. A word that holds a digit, '/', '\' or '@' becomes "<*>"; if it
// begins with letters and "=" or ":", these stay: id=17 becomes id=<*>. Then patterns are joined:
// at least six that differ only in one word, with "<*>" for this word; and patterns that differ in
// several words, if each of these words has at least six variants.
#pragma once

#include "enfold/budget/text/lines.h"

#include <string>
#include <unordered_map>

namespace enfold::budget::text {

/// The numbers that the lines of a pattern have at one place.
struct NumberAt {
  bool always = true;  ///< every line so far has a number there; else the rest means nothing
  double high = 0;     ///< the highest
  Line at;             ///< the first line with `high`
  double mean = 0, squares = 0;  ///< running mean, and sum of squared distances from it
};

struct Pattern {
  std::string text;
  std::size_t count = 0;            ///< lines; 0: it was joined with others, and is dropped
  Line first;                       ///< the first of its lines
  bool severe = false;              ///< one of the lines has a severe level
  std::vector<NumberAt> numbers{};  ///< for the first few "<*>" in `text`, in their order
};

/// Lines with a number far above those of the other lines of their pattern, the farthest first.
[[nodiscard]] std::vector<Line> outliers(const std::vector<Pattern>& patterns);

class Patterns {
 public:
  /// Adds a line. `before` and `after`: its text around the time stamp; `severe`: it has a severe
  /// level. The texts of the lines must stay valid.
  void add(const Line& whole, std::string_view before, std::string_view after, bool severe);
  /// The patterns by count, the most frequent first, then by line. Empty: the lines have too little
  /// in common.
  [[nodiscard]] std::vector<Pattern> take();

 private:
  void join_variants();
  void join_names();
  /// Replaces the patterns with these indexes by one with this text.
  void join(const std::string& text, std::vector<std::uint32_t> members);
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::vector<Pattern> patterns_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> known_;  ///< index by text
  std::string scratch_;          ///< buffer of `add` for the pattern of its line
  std::vector<double> numbers_;  ///< buffer of `add` for the numbers of its line
  std::size_t lines_ = 0;
  std::size_t last_ = 0;   ///< index of the pattern of the last line
  bool too_many_ = false;  ///< there are too many patterns, so `take` returns none
};

}  // namespace enfold::budget::text

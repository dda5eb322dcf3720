// SPDX-License-Identifier: Apache-2.0
// Search for a text, ignoring case, or for a regular expression; both in linear time.
#pragma once

#include "enfold/retrieve/records/substring.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace enfold::retrieve {

/// Lower case of Latin, Greek and Cyrillic letters; other characters are unchanged. The result has
/// the length of the text.
[[nodiscard]] std::string fold_case(std::string_view utf8);

/// A part of a text, in bytes.
struct Occurrence {
  std::size_t begin = 0;
  std::size_t size = 0;
};

class Needle {
 public:
  /// `is_pattern`: the text is a regular expression of RE2; an invalid one matches nothing.
  explicit Needle(std::string_view text, bool is_pattern = false);
  ~Needle();
  Needle(const Needle&) = delete;
  Needle& operator=(const Needle&) = delete;

  [[nodiscard]] std::optional<Occurrence> first_in(std::string_view text) const;
  [[nodiscard]] bool is_in(std::string_view text) const { return first_in(text).has_value(); }
  /// Occurrences that do not overlap. A pattern may read the rest of the text for each of them, so
  /// all calls together read at most kMostRead bytes; see `gave_up`.
  [[nodiscard]] std::size_t count_in(std::string_view text) const;
  /// Whether `count_in` reached kMostRead: that count is too low, and at most 1 for later texts.
  [[nodiscard]] bool gave_up() const { return read_ > kMostRead; }
  /// Whether a number or boolean, given as its JSON text, is the text that is searched for; a
  /// pattern may match a part of it.
  [[nodiscard]] bool is_number(std::string_view number) const;
  /// A quick test of JSON text. False: no key, text, number or boolean in it matches.
  [[nodiscard]] bool may_be_in_json(std::string_view raw) const;

 private:
  [[nodiscard]] bool may_be_escaped_in(std::string_view raw) const;

  std::string text_;  ///< in folded case; empty for a pattern
  /// Position in `text_` of two ASCII characters that are rare in texts; npos: none.
  std::size_t rare_pair_ = std::string_view::npos;
  Substring substring_;
  std::unique_ptr<re2::RE2> pattern_;                              ///< nullptr: a text
  static constexpr std::size_t kMostRead = std::size_t{64} << 20;  ///< bytes
  mutable std::size_t read_ = 0;  ///< bytes that a pattern may have read while counting
};

}  // namespace enfold::retrieve

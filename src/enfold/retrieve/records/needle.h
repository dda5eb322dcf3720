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

/// The text or regular expression that a search looks for.
class Needle {
 public:
  /// `is_pattern`: the text is a regular expression of RE2; an invalid one matches nothing.
  explicit Needle(std::string_view text, bool is_pattern = false);
  ~Needle();
  Needle(const Needle&) = delete;
  Needle& operator=(const Needle&) = delete;

  /// nullopt: the text does not occur, or the pattern does not match.
  [[nodiscard]] std::optional<Occurrence> first_in(std::string_view text) const;
  [[nodiscard]] bool is_in(std::string_view text) const { return first_in(text).has_value(); }
  /// The number of occurrences that do not overlap. A pattern may read the rest of the text for
  /// each of them, so all calls together read at most kMostRead bytes; see `gave_up`.
  [[nodiscard]] std::size_t count_in(std::string_view text) const;
  /// Whether `count_in` reached kMostRead: that count is too low, and at most 1 for later texts.
  [[nodiscard]] bool gave_up() const { return read_ > kMostRead; }
  /// Whether a number or boolean, given as its JSON text, is equal to the text that is searched
  /// for; a pattern may match a part of the JSON text.
  [[nodiscard]] bool matches_scalar(std::string_view json_text) const;
  /// A quick test of JSON text. False: no key, text, number or boolean in it matches.
  [[nodiscard]] bool may_be_in_json(std::string_view raw) const;

 private:
  /// Whether escapes in JSON text may hide the text that is searched for.
  [[nodiscard]] bool may_be_escaped_in(std::string_view raw) const;

  std::string text_;  ///< in folded case; empty for a pattern
  /// Position in `text_` of two ASCII characters that are rare in JSON, for `may_be_in_json`; npos:
  /// a pattern, or the text has no such two or needs escapes in JSON.
  std::size_t rare_pair_ = std::string_view::npos;
  Substring substring_;
  std::unique_ptr<re2::RE2> pattern_;                              ///< nullptr: not a pattern
  static constexpr std::size_t kMostRead = std::size_t{64} << 20;  ///< bytes
  mutable std::size_t read_ = 0;  ///< bytes that a pattern may have read while counting
};

}  // namespace enfold::retrieve

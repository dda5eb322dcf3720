// SPDX-License-Identifier: Apache-2.0
// Decodes escapes in a text and maps ranges of the result back to the source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::redact::detail {

class UnescapedText {
 public:
  /// Decodes the source of a valid JSON string, between its quotes.
  [[nodiscard]] static UnescapedText json_string(std::string_view source);
  /// Decodes escapes of ASCII in free text: `\u0070` and `\/`, with any number of backslashes.
  [[nodiscard]] static UnescapedText nested(std::string_view source);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The range of the source for the range [begin, end) of the text; never splits an escape.
  [[nodiscard]] std::pair<std::size_t, std::size_t> in_source(std::size_t begin,
                                                              std::size_t end) const;

 private:
  struct Escape {
    std::size_t text_begin, text_end, source_begin, source_end;
  };
  void copy(std::string_view source, std::size_t begin, std::size_t end);
  /// Records that the text from `text_begin` on was decoded from this range of the source.
  void add_escape(std::size_t text_begin, std::size_t source_begin, std::size_t source_end);
  /// `is_end`: `at` is the end of a range, so an escape that it splits is included.
  [[nodiscard]] std::size_t to_source(std::size_t at, bool is_end) const;

  std::string text_;
  std::vector<Escape> escapes_;
};

}  // namespace enfold::redact::detail

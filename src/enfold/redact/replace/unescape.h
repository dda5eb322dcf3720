// SPDX-License-Identifier: Apache-2.0
// Text without its escapes, and the way back: where a stretch of it stands in the escaped source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::redact::detail {

class Unescaped {
 public:
  /// Of a JSON string, between its quotes; the source is valid.
  [[nodiscard]] static Unescaped json_string(std::string_view source);
  /// Of escapes in free text that hide ASCII: `\u0070` and `\/`, with any number of backslashes.
  [[nodiscard]] static Unescaped nested(std::string_view source);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Offsets in the source of the stretch [begin, end) of the text; an escape is never split.
  [[nodiscard]] std::pair<std::size_t, std::size_t> in_source(std::size_t begin,
                                                              std::size_t end) const;

 private:
  struct Escape {
    std::size_t text_begin, text_end, source_begin, source_end;
  };
  void copy(std::string_view source, std::size_t begin, std::size_t end);
  void close(std::size_t text_begin, std::size_t source_begin, std::size_t source_end);
  [[nodiscard]] std::size_t map(std::size_t at, bool is_end) const;

  std::string text_;
  std::vector<Escape> escapes_;
};

}  // namespace enfold::redact::detail

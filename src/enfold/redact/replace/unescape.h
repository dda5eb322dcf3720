// SPDX-License-Identifier: Apache-2.0
// Decodes escapes in a text and maps ranges of the result back to the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::redact::detail {

/// The value of the four hexadecimal digits at `at`; unspecified if there are other bytes.
[[nodiscard]] std::uint32_t hex4(std::string_view text, std::size_t at);

/// The length in bytes of the hidden character (base/hidden_text.h) at `at`; 0: there is none.
[[nodiscard]] std::size_t hidden_length(std::string_view text, std::size_t at);

/// The length in bytes of the redaction marker at `at` in the middle of a token; 0: there is none.
/// See without_inner_markers.
[[nodiscard]] std::size_t inner_marker_length(std::string_view text, std::size_t at);

/// The length of the JSON escape of a hidden character, or of its two surrogates, without the
/// backslashes in front. `at`: the `u`; 0: there is no such escape.
[[nodiscard]] std::size_t hidden_escape_length(std::string_view text, std::size_t at);

/// Whether the text has a byte with which a hidden character or a terminal code starts.
[[nodiscard]] bool may_hide(std::string_view text);
/// The text without hidden characters and terminal codes.
[[nodiscard]] std::string visible_text(std::string text);

/// A decoded text that knows the place of each byte in its source.
class UnescapedText {
 public:
  /// Decodes the source of a valid JSON string, between its quotes.
  [[nodiscard]] static UnescapedText json_string(std::string_view source);
  /// Decodes the escapes that are left in a decoded text, such as JSON inside a JSON string, and
  /// hide a secret from the matchers (is_nested_escape): `\u0070` and `\/`, with any number of
  /// backslashes. Removes escapes of hidden characters. Keeps all others, such as `\n` and `\"`.
  [[nodiscard]] static UnescapedText nested_escapes(std::string_view source);

  /// Removes hidden characters and terminal codes, such as those of colours. A removal may join the
  /// bytes of another one, which is removed too: the text holds none. Takes linear time.
  [[nodiscard]] static UnescapedText visible(std::string_view source);

  /// Removes redaction markers, with any label, that are in the middle of a token: between letters,
  /// digits, `.`, `_` and `-`. Takes linear time.
  [[nodiscard]] static UnescapedText without_inner_markers(std::string_view source);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The range of the source for the range [begin, end) of the text; never splits an escape.
  [[nodiscard]] std::pair<std::size_t, std::size_t> in_source(std::size_t begin,
                                                              std::size_t end) const;

 private:
  /// A part of the source that was decoded or removed, and the range of the text that it became.
  struct Escape {
    std::size_t text_begin, text_end, source_begin, source_end;
  };
  /// Appends bytes [begin, end) of the source to the text.
  void copy(std::string_view source, std::size_t begin, std::size_t end);
  /// Records that the text from `text_begin` on was decoded from this range of the source.
  void add_escape(std::size_t text_begin, std::size_t source_begin, std::size_t source_end);
  /// Removes bytes [begin, end) of the source, which is read up to `begin`.
  void remove(std::size_t begin, std::size_t end);
  /// Removes the end of the text from `begin` on. `read`: how far the source is read.
  void remove_end(std::size_t begin, std::size_t read);
  /// Removes a hidden character from the end of the text; false: there is none. `read`: how far the
  /// source is read.
  bool remove_joined(std::size_t read);
  /// The offset in the source of the offset `at` in the text. Inside the text of an escape, it is
  /// the start of the escape, or its end if `is_end`: `at` ends a range, which then includes the
  /// escape. A range includes nothing that was removed before its start or after its end.
  [[nodiscard]] std::size_t to_source(std::size_t at, bool is_end) const;

  std::string text_;
  std::vector<Escape> escapes_;  ///< in order
};

}  // namespace enfold::redact::detail

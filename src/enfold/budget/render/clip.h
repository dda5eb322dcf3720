// SPDX-License-Identifier: Apache-2.0
// Clips strings: a prefix, then a marker with the number of missing bytes. `source` is the escaped
// text of a JSON string without its quotes; it is not decoded, because this runs for every unit.
#pragma once

#include "enfold/json/write.h"

namespace enfold::budget::detail {

/// Strings are clipped only if at least this many decoded bytes are removed.
inline constexpr std::size_t kLeastClip = 96;

/// The start of the marker after a clipped string: "…[+N bytes]", or "…[stopped at line 341 of 522,
/// +N bytes]" after a text of several lines.
inline constexpr std::string_view kMarker = "…[";

/// The size of a decoded text.
struct TextSize {
  std::size_t bytes = 0;
  std::size_t lines = 0;
};

/// The length of the longest prefix of at most `bytes` that splits no escape, surrogate pair or
/// character.
[[nodiscard]] std::size_t safe_cut(std::string_view source, std::size_t bytes);

/// The size of the decoded text of escaped string source.
[[nodiscard]] std::size_t decoded_size(std::string_view source);

/// The number of the last line in escaped text, from 1; 0: the text is empty. A line end at the end
/// begins no further line.
[[nodiscard]] std::size_t last_line(std::string_view source);

/// Lines of a clipped string of which nothing is shown, at least one. `shown` and `rest`: its
/// escaped text before and after the cut. A line end at the end of the text begins no further line.
[[nodiscard]] std::size_t lines_left(std::string_view shown, std::string_view rest);

/// Appends the string clipped to about `bytes` of its source, at a line end if one is near, and the
/// marker with the missing bytes of the decoded text. False: the string is too short to be clipped,
/// and nothing is appended. `whole`: the size of the decoded text, if the caller knows it.
bool append_clipped(std::string& out, std::string_view source, std::size_t bytes,
                    const TextSize& whole);
bool append_clipped(std::string& out, std::string_view source, std::size_t bytes);

/// For index rows: appends a prefix of `bytes` and "…", or the string itself up to `bytes` + 3.
void append_label(std::string& out, std::string_view source, std::size_t bytes);

/// Number of decoded characters in the JSON string `quoted`.
[[nodiscard]] std::size_t characters_of(std::string_view quoted);

/// Writes a value that is minified JSON already; like a number, it is not checked.
inline void splice_text(json::Writer& writer, std::string_view json) { writer.number(json); }

}  // namespace enfold::budget::detail

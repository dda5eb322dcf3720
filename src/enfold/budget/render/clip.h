// SPDX-License-Identifier: Apache-2.0
// Shortens strings: a true prefix, then a marker that says how much is missing. Works on the
// escaped source of a JSON string and writes JSON text, for it is done for every candidate.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::budget::detail {

/// Less than this is not worth a marker.
inline constexpr std::size_t kLeastClip = 96;

/// How the marker behind a clipped string begins.
inline constexpr std::string_view kMarker = "…[+";

/// The end of the longest piece of escaped string source of at most `bytes` that splits neither an
/// escape, nor a surrogate pair, nor a character.
[[nodiscard]] std::size_t safe_cut(std::string_view source, std::size_t bytes);

/// Bytes of the UTF-8 text that escaped string source stands for.
[[nodiscard]] std::size_t decoded_size(std::string_view source);

/// Appends the string cut after about `bytes` of its source, at the end of a line where one is
/// near; "…[+N bytes]" counts what is missing of the decoded text. False: not worth it.
bool append_clipped(std::string& out, std::string_view source, std::size_t bytes,
                    std::size_t whole_decoded);
bool append_clipped(std::string& out, std::string_view source, std::size_t bytes);

/// For index rows: appends a prefix and "…", or the string itself when it is short enough.
void append_label(std::string& out, std::string_view source, std::size_t bytes);

/// Characters of the text that the JSON string `quoted` stands for.
[[nodiscard]] std::size_t characters_of(std::string_view quoted);

}  // namespace enfold::budget::detail

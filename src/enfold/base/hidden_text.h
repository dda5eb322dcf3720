// SPDX-License-Identifier: Apache-2.0
// Characters that are in a text but not seen in it: controls, direction marks, zero-width
// characters and tags. They can hide instructions from a reader, or forge lines of a log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold {

/// Whether a screen does not show the character: tags (U+E0000…), variation selectors, marks and
/// embeddings of direction, zero-width characters, fillers, soft hyphens. These are the characters
/// that Unicode calls default ignorable. False for control characters.
[[nodiscard]] bool is_hidden(std::uint32_t code_point);

/// The text without hidden characters and without controls other than tabs and line ends. Where
/// writing needs them, a joiner stays between two characters that are not ASCII, and a variation
/// selector after one.
[[nodiscard]] std::string without_hidden(std::string_view text);

/// For a log or a terminal: one line that shows all that the text contains. Controls, line
/// separators and hidden characters become escapes such as `\u{1b}`, malformed bytes `\xff`.
[[nodiscard]] std::string visible_line(std::string_view text);

}  // namespace enfold

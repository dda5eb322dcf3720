// SPDX-License-Identifier: Apache-2.0
// Characters that are in a text but not seen in it: controls, direction marks, zero-width
// characters and tags. They can hide instructions from a reader, or forge lines of a log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold {

/// Tags (U+E0000…), variation selectors of the supplement, marks and embeddings of direction,
/// zero-width characters, soft hyphens.
[[nodiscard]] bool is_hidden(std::uint32_t code_point);

/// The text without hidden characters and without controls other than tabs and line ends. A joiner
/// or variation selector stays where writing needs it: between two characters, or after one, that
/// are not ASCII.
[[nodiscard]] std::string without_hidden(std::string_view text);

/// For a log or a terminal: controls, line separators, hidden characters and malformed bytes become
/// `\u{1b}`. What the result shows is what the text contains, on one line.
[[nodiscard]] std::string visible_line(std::string_view text);

}  // namespace enfold

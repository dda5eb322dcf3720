// SPDX-License-Identifier: Apache-2.0
// Where a text can be cut without splitting what a reader sees as one character: a letter with its
// accents, a flag, a family of emoji joined by ZWJ, a Hangul syllable (after Unicode UAX #29).
#pragma once

#include <cstddef>
#include <string_view>

namespace enfold::utf8 {

/// The largest offset in bytes, at most `end`, at which the text can be cut in this way: 0 if the
/// first character ends after `end`, the size of `text` if `end` is beyond it. A character, or a
/// row of flags, of more than 128 bytes may be split, between code points.
[[nodiscard]] std::size_t whole_characters(std::string_view text, std::size_t end);

}  // namespace enfold::utf8

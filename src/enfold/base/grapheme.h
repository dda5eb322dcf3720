// SPDX-License-Identifier: Apache-2.0
// Where a text can be cut without splitting what a reader sees as one character: a letter with its
// accents, a flag, a family of emoji joined by ZWJ, a Hangul syllable (after Unicode UAX #29).
#pragma once

#include <cstddef>
#include <string_view>

namespace enfold::utf8 {

/// The offset in bytes of the last such place at or before `end`: 0 if the first character does not
/// end there, the size of `text` if `end` is behind it. A character, or a row of flags, of more
/// than 128 bytes may be split, between code points.
[[nodiscard]] std::size_t whole_characters(std::string_view text, std::size_t end);

}  // namespace enfold::utf8

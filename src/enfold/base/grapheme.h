// SPDX-License-Identifier: Apache-2.0
// Where a text can be cut without splitting what a reader sees as one character: a letter with its
// accents, a flag, a family of emoji joined by ZWJ, a Hangul syllable (after Unicode UAX #29).
#pragma once

#include <cstddef>
#include <string_view>

namespace enfold::utf8 {

/// The last such place in `text` that is not behind `end`. A cluster of more than 128 bytes may be
/// split, between code points.
[[nodiscard]] std::size_t whole_characters(std::string_view text, std::size_t end);

}  // namespace enfold::utf8

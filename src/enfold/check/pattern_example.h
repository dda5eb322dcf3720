// SPDX-License-Identifier: Apache-2.0
// Texts that match a regular expression of JSON Schema.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::check {

/// A short text for the pattern (ECMA-262). Every part that may repeat is written as often as it
/// must be and `more` times besides, if it may be: a larger `more` gives a longer text. The text is
/// a guess, which the caller has to check: anchors inside of the pattern and `\b` are assumed to
/// match. nullopt for a pattern that the function does not support, for example with lookaround,
/// and for texts of more than 1,000 bytes.
[[nodiscard]] std::optional<std::string> pattern_example(std::string_view pattern,
                                                         std::size_t more = 0);

}  // namespace enfold::check

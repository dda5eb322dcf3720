// SPDX-License-Identifier: Apache-2.0
// Texts that match a regular expression of JSON Schema.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::check {

/// A short text for the pattern (ECMA-262). Every part that may repeat does so `more` times above
/// its least, so that a larger `more` gives a longer text. A guess, which the caller has to check:
/// anchors inside of the pattern and `\b` are taken for fulfilled. nullopt for what it cannot
/// express, such as lookaround, and for texts of more than 1,000 bytes.
[[nodiscard]] std::optional<std::string> pattern_example(std::string_view pattern,
                                                         std::size_t more = 0);

}  // namespace enfold::check

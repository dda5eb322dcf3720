// SPDX-License-Identifier: Apache-2.0
// A regular expression as std::regex understands it: the second opinion on ours.
#pragma once

#include <optional>
#include <string_view>

namespace enfold::fuzz {

/// Whether the pattern matches anywhere in the text; nullopt: the peer refuses the pattern.
[[nodiscard]] std::optional<bool> matches_with_std(std::string_view pattern, std::string_view text);

}  // namespace enfold::fuzz

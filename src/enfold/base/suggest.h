// SPDX-License-Identifier: Apache-2.0
// Suggestions for mistyped names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace enfold {

/// The known name nearest to `typed` by edit distance, ignoring case; a name that `typed` is a
/// prefix of counts as near. Empty if no name is near.
[[nodiscard]] std::string nearest_name(std::string_view typed, std::span<const std::string> known);

/// "did you mean X?", or `otherwise` if no name is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::span<const std::string> known,
                                       const std::string& otherwise);

}  // namespace enfold

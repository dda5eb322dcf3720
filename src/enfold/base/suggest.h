// SPDX-License-Identifier: Apache-2.0
// What somebody probably meant who mistyped a name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace enfold {

/// The known name nearest to `typed`: a few wrong, missing or swapped letters away in any case, or
/// longer than it. Empty when none is near.
[[nodiscard]] std::string nearest_name(std::string_view typed, std::span<const std::string> known);

/// "did you mean X?", or `otherwise` when nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::span<const std::string> known,
                                       const std::string& otherwise);

}  // namespace enfold

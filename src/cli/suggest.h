// SPDX-License-Identifier: Apache-2.0
// What somebody probably meant who mistyped a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace enfold::cli {

/// The known name nearest to `typed`: a few wrong, missing or swapped letters away, or longer than
/// it. Empty when none is near.
[[nodiscard]] std::string nearest(std::string_view typed, const std::vector<std::string>& known);

/// "did you mean X?", or `otherwise` when nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed,
                                       const std::vector<std::string>& known,
                                       const std::string& otherwise);

}  // namespace enfold::cli

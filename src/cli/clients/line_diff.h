// SPDX-License-Identifier: Apache-2.0
// The difference between two texts by lines, in the unified format of diff -u.
#pragma once

#include <string>
#include <string_view>

namespace enfold::cli {

/// The difference without the two lines that name the files; empty if the texts are equal. Lines
/// with different line ends, or one without a line end, are different.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after);

}  // namespace enfold::cli

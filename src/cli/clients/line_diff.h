// SPDX-License-Identifier: Apache-2.0
// The difference between two texts by lines, in the unified format of diff -u.
#pragma once

#include <string>
#include <string_view>

namespace enfold::cli {

/// Without the two lines that name the files; empty if the texts are equal. Lines that differ in
/// their end only, or in a missing one, are different.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after);

}  // namespace enfold::cli

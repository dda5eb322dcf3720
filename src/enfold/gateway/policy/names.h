// SPDX-License-Identifier: Apache-2.0
// Names of tools and prompts, and ids of tasks, when one endpoint serves several upstreams:
// UPSTREAM__NAME, the same on every run. A name has at most 64 characters; a longer one is cut and
// ends in a part of its hash.
#pragma once

#include <string>
#include <string_view>

namespace enfold::gateway {

inline constexpr std::size_t kLongestName = 64;
inline constexpr std::string_view kNameSeparator = "__";

[[nodiscard]] std::string shown_name(std::string_view upstream, std::string_view name);

/// The id of a task: never cut, so that the id alone names the upstream.
[[nodiscard]] std::string shown_id(std::string_view upstream, std::string_view id);

}  // namespace enfold::gateway

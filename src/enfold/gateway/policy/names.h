// SPDX-License-Identifier: Apache-2.0
// Names of tools and prompts, and ids of tasks, where several upstreams stand behind one endpoint:
// UPSTREAM__NAME, the same on every run. A name has at most 64 characters; a longer one is cut and
// ends in a part of its hash.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace enfold::gateway {

inline constexpr std::size_t kLongestName = 64;

[[nodiscard]] std::string shown_name(std::string_view upstream, std::string_view name);

/// The name behind the prefix; empty: not of this upstream, or cut.
[[nodiscard]] std::string_view own_name(std::string_view upstream, std::string_view shown);

/// Of tasks: never cut, so that the id alone says whose it is.
[[nodiscard]] std::string shown_id(std::string_view upstream, std::string_view id);
/// nullopt: not of this upstream.
[[nodiscard]] std::optional<std::string_view> own_id(std::string_view upstream,
                                                     std::string_view shown);

}  // namespace enfold::gateway

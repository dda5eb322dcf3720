// SPDX-License-Identifier: Apache-2.0
// Names of tools and prompts where several upstreams stand behind one endpoint: UPSTREAM__NAME, at
// most 64 characters, the same on every run. A longer one is cut and ends in a part of its hash.
#pragma once

#include <string>
#include <string_view>

namespace enfold::gateway {

inline constexpr std::size_t kLongestName = 64;

[[nodiscard]] std::string shown_name(std::string_view upstream, std::string_view name);

/// The name behind the prefix; empty: not of this upstream, or cut.
[[nodiscard]] std::string_view own_name(std::string_view upstream, std::string_view shown);

}  // namespace enfold::gateway

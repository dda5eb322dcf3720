// SPDX-License-Identifier: Apache-2.0
// Names of tools and prompts, and ids of tasks, when one endpoint serves several upstreams:
// UPSTREAM__NAME, the same on every run. A name has at most 64 characters; a longer one is cut and
// ends in a part of its hash.
#pragma once

#include "enfold/gateway/config/settings.h"

namespace enfold::gateway {

inline constexpr std::size_t kLongestName = 64;
inline constexpr std::string_view kNameSeparator = "__";

[[nodiscard]] std::string shown_name(std::string_view upstream, std::string_view name);

/// The id of a task: never cut, so that the id alone names the upstream.
[[nodiscard]] std::string shown_id(std::string_view upstream, std::string_view id);

/// `*` matches any characters, `?` one; every other character matches itself.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);
[[nodiscard]] inline bool any_matches(const std::vector<std::string>& patterns,
                                      std::string_view name) {
  return std::ranges::any_of(patterns, [&](const auto& one) { return matches(one, name); });
}

/// Whether clients see a tool: it is not denied, and allowed if there is a list of allowed tools.
/// `tool` is the upstream's own name.
[[nodiscard]] inline bool is_offered(const UpstreamSettings& upstream, std::string_view tool) {
  const bool allowed = upstream.tools_allow.empty() || any_matches(upstream.tools_allow, tool);
  return allowed && !any_matches(upstream.tools_deny, tool);
}

/// Cuts a text to at most so many characters, at the end of a word if possible, and appends an
/// ellipsis.
[[nodiscard]] std::string bounded(std::string text, std::size_t characters);

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// The names of tools and prompts, and the ids of tasks, that clients see when there are several
// upstreams: UPSTREAM__NAME, the same on every run. The name of a tool or prompt has at most 64
// bytes; a longer one is cut to 64 and ends in a part of its hash.
#pragma once

#include "enfold/base/hidden_text.h"
#include "enfold/gateway/config/settings.h"

#include <algorithm>

namespace enfold::gateway {

inline constexpr std::size_t kMaxNameLength = 64;  // bytes
inline constexpr std::string_view kNameSeparator = "__";

/// The name that clients see for a tool or prompt of an upstream.
[[nodiscard]] std::string shown_name(std::string_view upstream, std::string_view name);

/// The id that clients see for a task of an upstream. It is never cut, so that the upstream can be
/// read from it.
[[nodiscard]] std::string shown_id(std::string_view upstream, std::string_view id);

/// `*` matches any number of bytes, `?` one; every other byte matches itself.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);
[[nodiscard]] inline bool any_matches(const std::vector<std::string>& patterns,
                                      std::string_view name) {
  return std::ranges::any_of(patterns, [&](const auto& one) { return matches(one, name); });
}

/// Whether clients see a tool: it is not denied, and allowed if there is a list of allowed tools.
/// `tool` is its name at the upstream; hidden characters in it do not count.
[[nodiscard]] inline bool is_offered(const UpstreamSettings& upstream, std::string_view tool) {
  if (upstream.tools_allow.empty() && upstream.tools_deny.empty()) return true;
  const std::string name = without_hidden(tool);
  const bool allowed = upstream.tools_allow.empty() || any_matches(upstream.tools_allow, name);
  return allowed && !any_matches(upstream.tools_deny, name);
}

/// Cuts a longer text to `max_characters` characters, the last of which is an ellipsis; earlier, at
/// the end of a word, if that leaves more than half of the bytes.
[[nodiscard]] std::string shortened(std::string text, std::size_t max_characters);

}  // namespace enfold::gateway

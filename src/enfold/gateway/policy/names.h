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

/// The id that clients see for a task of an upstream. It is never cut, so that it always contains
/// the upstream's own id.
[[nodiscard]] std::string shown_id(std::string_view upstream, std::string_view id);

/// Whether a name matches a pattern: `*` matches any number of bytes, `?` one byte.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);
[[nodiscard]] inline bool any_matches(const std::vector<std::string>& patterns,
                                      std::string_view name) {
  return std::ranges::any_of(patterns, [&](const auto& one) { return matches(one, name); });
}

/// Whether clients see a tool: it matches no pattern of `tools_deny` and, unless `tools_allow` is
/// empty, a pattern of `tools_allow`. `tool`: its name at the upstream; hidden characters in it are
/// ignored.
[[nodiscard]] inline bool is_offered(const UpstreamSettings& upstream, std::string_view tool) {
  if (upstream.tools_allow.empty() && upstream.tools_deny.empty()) return true;
  const std::string name = without_hidden(tool);
  const bool allowed = upstream.tools_allow.empty() || any_matches(upstream.tools_allow, name);
  return allowed && !any_matches(upstream.tools_deny, name);
}

/// The text, cut to at most `max_characters` characters; a cut text ends in an ellipsis. The cut is
/// at the end of a word, if that keeps more than half of the bytes that fit.
[[nodiscard]] std::string shortened(std::string text, std::size_t max_characters);

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Which tools of an upstream clients see, and the maximum length of descriptions. Pure.
#pragma once

#include "enfold/gateway/config/settings.h"

#include <string>
#include <string_view>

namespace enfold::gateway {

/// `*` matches any characters, `?` one; every other character matches itself.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

/// Whether clients see a tool: it is not denied, and allowed if there is a list of allowed tools.
/// `tool` is the upstream's own name.
[[nodiscard]] bool is_offered(const UpstreamSettings& upstream, std::string_view tool);

/// Cuts a text to at most so many characters, at the end of a word if possible, and appends an
/// ellipsis.
[[nodiscard]] std::string bounded(std::string text, std::size_t characters);

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Which tools of an upstream clients see, and how much of a description. Pure.
#pragma once

#include "enfold/gateway/config/settings.h"

#include <string>
#include <string_view>

namespace enfold::gateway {

/// `*` stands for any characters, `?` for one; everything else for itself.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

/// Allowed, where anything is said about that, and not denied. The name is the upstream's own.
[[nodiscard]] bool is_offered(const UpstreamSettings& upstream, std::string_view tool);

/// At most so many characters, at the end of a word where there is one, and a sign that it was cut.
[[nodiscard]] std::string bounded(std::string text, std::size_t characters);

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// The rules about tool definitions, which need no call.
#pragma once

#include "enfold/check/finding.h"
#include "enfold/json/document.h"

#include <set>
#include <string>

namespace enfold::check {

/// The limit of some clients' function-calling APIs.
inline constexpr std::size_t kDescriptionLimit = 1'024;  // characters
/// Some clients add a prefix, so they allow less than the protocol's 128.
inline constexpr std::size_t kClientNameLimit = 64;
inline constexpr std::size_t kProtocolNameLimit = 128;

/// Checks one entry of `tools/list`.
[[nodiscard]] Findings check_tool(json::View tool);
/// Also reports a duplicate name; `names` holds the names of the tools before it and is updated.
[[nodiscard]] Findings check_tool(json::View tool, std::set<std::string>& names);

}  // namespace enfold::check

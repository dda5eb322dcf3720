// SPDX-License-Identifier: Apache-2.0
// The rules that need no call: what a server says about its tools.
#pragma once

#include "enfold/check/finding.h"
#include "enfold/json/document.h"

#include <set>
#include <string>

namespace enfold::check {

/// Of clients that hand the description to a model's interface for functions.
inline constexpr std::size_t kLongestDescription = 1'024;  // characters
/// Clients put a prefix of their own before a name; the protocol allows twice as much.
inline constexpr std::size_t kLongestName = 64;
inline constexpr std::size_t kLongestNameAtAll = 128;

/// One entry of `tools/list`, as it came.
[[nodiscard]] Findings check_tool(json::View tool);
/// The same, with the names of the tools before it; its own is added.
[[nodiscard]] Findings check_tool(json::View tool, std::set<std::string>& names);

}  // namespace enfold::check

// SPDX-License-Identifier: Apache-2.0
// The arguments of a call, as a client sent them and as a tool gets them.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/tools/offered_tool.h"

namespace enfold::tools {

/// Whether an argument of this name chooses the level of the answer, unless the tool declares it.
[[nodiscard]] bool is_level_argument(json::View name);

/// The arguments for the tool, by its ArgumentPolicy. Nulls are removed because many clients send
/// null for what they leave out.
[[nodiscard]] json::Value arguments_for_tool(const mcp::Call& call, const OfferedTool& tool);

}  // namespace enfold::tools

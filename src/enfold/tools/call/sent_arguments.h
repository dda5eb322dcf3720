// SPDX-License-Identifier: Apache-2.0
// The arguments of a call, as a client sent them and as a tool gets them.
#pragma once

#include "enfold/level/decide.h"
#include "enfold/mcp/types/call.h"
#include "enfold/tools/offered_tool.h"

#include <algorithm>

namespace enfold::tools {

/// Whether an argument of this name chooses the level of the answer, unless the tool declares it.
[[nodiscard]] inline bool is_level_argument(json::View name) {
  if (name.string_source().size() < level::kRichArgument.size()) return false;  // shortest name
  return name.equals(level::kLevelArgument) || name.equals(level::kRichArgument) ||
         name.equals(level::kMinimalArgument);
}

[[nodiscard]] inline bool has_name(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The arguments without level arguments and nulls, as the tool's ArgumentPolicy, which must not be
/// as_sent, says.
[[nodiscard]] json::Value clean_arguments(const json::Value& sent, const OfferedTool& tool);
/// The arguments without the nulls that `input_schema` does not allow, as far as it does not
/// require the member.
[[nodiscard]] json::Value without_nulls(const json::Value& sent, json::View input_schema);
/// The arguments as the tool gets them, by its ArgumentPolicy. Nulls are removed because many
/// clients send null for what they leave out.
[[nodiscard]] inline json::Value arguments_for_tool(const mcp::Call& call,
                                                    const OfferedTool& tool) {
  const auto& sent = std::get_if<mcp::ToolCall>(&call.params)->arguments;
  return tool.argument_policy == ArgumentPolicy::as_sent ? sent : clean_arguments(sent, tool);
}

}  // namespace enfold::tools

// SPDX-License-Identifier: Apache-2.0
// The tools that a server lists. A tool keeps the object it was read from. Writing the tool writes
// this object again with the current values of the typed fields; a field that is nullopt removes
// its member. So a gateway may change a name or a schema, and all other members stay unchanged.
#pragma once

#include "enfold/mcp/wire/message.h"

#include <optional>
#include <span>
#include <string>

namespace enfold::mcp {

struct Tool {
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  json::Value input_schema;                  ///< an object; its "type" is not checked here
  std::optional<json::Value> output_schema;  ///< an object
  std::optional<json::Value> annotations;    ///< an object; see read_tool_hints
  /// The object that `read_tool` read, or the further members of a tool that this program defines;
  /// null: it has none.
  json::Value original;
  friend bool operator==(const Tool&, const Tool&) = default;
};

/// The hints of a tool's annotations, else the defaults of the protocol. Enfold cannot verify them.
struct ToolHints {
  bool read_only = false;   ///< the tool changes nothing
  bool destructive = true;  ///< meaningless if the tool is read-only
  bool idempotent = false;  ///< meaningless if the tool is read-only
};
[[nodiscard]] ToolHints read_tool_hints(const std::optional<json::Value>& annotations);
/// Whether the tool may be called a second time: it is read-only or idempotent.
[[nodiscard]] inline bool may_retry(const ToolHints& hints) {
  return hints.read_only || hints.idempotent;
}

/// Fails with `protocol_violation` if the tool has no name or no inputSchema. Other members of the
/// wrong type count as absent.
[[nodiscard]] Result<Tool> read_tool(json::View value);

/// In the session era, structured content that is not an object is sent wrapped: {"result": …}. So
/// an output schema that accepts other values than objects is written so that it accepts these
/// values wrapped.
void write(json::Writer& writer, const Tool& tool, Era era);

/// The result of tools/list, on one page.
[[nodiscard]] json::Output write_tools(std::span<const Tool> tools, Era era);

}  // namespace enfold::mcp

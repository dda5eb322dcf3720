// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/catalog.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"

#include <fmt/core.h>

namespace enfold::mcp {
namespace {

tl::unexpected<Error> tool_without(std::string_view member) {
  return fail(ErrorCode::protocol_violation, fmt::format("expected a tool with {}", member),
              fmt::format("/{}", member), "tell the author of the server");
}

std::optional<json::Value> owned_object_member(json::View object, std::string_view key) {
  const auto found = object_member(object, key);
  if (!found) return std::nullopt;
  return json::Value(*found);
}

bool has_object_root(json::View schema) {
  const auto type = schema.find("type");
  return type && type->equals("object");
}

// In the session era structured content must be an object. Any other value becomes the member
// `result` of an object; this is the schema of such an object.
void write_wrapped_schema(json::Writer& writer, json::View schema) {
  writer.begin_object().member("type", "object").key("properties").begin_object();
  writer.member("result", schema).end_object();
  writer.key("required").begin_array().string("result").end_array().end_object();
}

}  // namespace

ToolHints read_tool_hints(const std::optional<json::Value>& annotations) {
  ToolHints hints;
  const auto read = [&](std::string_view name, bool& hint) {
    const auto member = annotations ? annotations->view().find(name) : std::nullopt;
    if (member && member->is_boolean()) hint = member->boolean();
  };
  read("readOnlyHint", hints.read_only);
  read("destructiveHint", hints.destructive);
  read("idempotentHint", hints.idempotent);
  return hints;
}

Result<Tool> read_tool(json::View value) {
  Tool tool;
  auto name = json::string_member(value, "name");
  if (!name) return tool_without("name");
  auto schema = owned_object_member(value, "inputSchema");
  if (!schema) return tool_without("inputSchema");
  tool.name = std::move(*name);
  tool.title = json::string_member(value, "title");
  tool.description = json::string_member(value, "description");
  tool.input_schema = std::move(*schema);
  tool.output_schema = owned_object_member(value, "outputSchema");
  tool.annotations = owned_object_member(value, "annotations");
  tool.original = json::Value(value);
  return tool;
}

void write(json::Writer& writer, const Tool& tool, Era era) {
  Overlay overlay;
  overlay.text("name", tool.name).text("title", tool.title).text("description", tool.description);
  overlay.value("inputSchema", tool.input_schema);
  const bool wraps =
      era == Era::sessions && tool.output_schema && !has_object_root(tool.output_schema->view());
  if (wraps) {
    overlay.member("outputSchema", [view = tool.output_schema->view()](json::Writer& out) {
      write_wrapped_schema(out, view);
    });
  } else {
    overlay.value("outputSchema", tool.output_schema);
  }
  overlay.value("annotations", tool.annotations);
  overlay.write(writer, tool.original.view());
}

json::Output write_tools(std::span<const Tool> tools, Era era) {
  json::Writer writer;
  writer.begin_object().key("tools").begin_array();
  for (const Tool& tool : tools) write(writer, tool, era);
  writer.end_array().end_object();
  return std::move(writer).finish();
}

}  // namespace enfold::mcp

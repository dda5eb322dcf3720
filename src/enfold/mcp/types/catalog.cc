// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/catalog.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/moved_schema.h"
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

/// Which values a schema may accept, as far as `type`, `anyOf` and `oneOf` tell: objects, and
/// values that are no objects.
struct AcceptedKinds {
  bool objects = false;
  bool others = false;
};

AcceptedKinds accepted_kinds(json::View schema) {
  AcceptedKinds out;
  const auto add = [&](json::View type) {
    (type.equals("object") ? out.objects : out.others) = true;
  };
  if (const auto type = schema.find("type")) {
    if (type->is_string()) add(*type);
    for (const json::View item : type->items()) add(item);
    return out;
  }
  for (const std::string_view key : {"anyOf", "oneOf"}) {
    const auto branches = schema.find(key);
    if (!branches) continue;
    for (const json::View branch : branches->items()) {
      const AcceptedKinds one = accepted_kinds(branch);
      out = {out.objects || one.objects, out.others || one.others};
    }
    return out;
  }
  return {.objects = true, .others = true};
}

// Writes the members of a schema for objects that require the member `result`. `write_schema`
// writes the schema of that member.
template <class WriteSchema>
void write_result_member(json::Writer& writer, WriteSchema write_schema) {
  writer.key("properties").begin_object().key("result");
  write_schema();
  writer.end_object().key("required").begin_array().string("result").end_array();
}

// Whether write_session_schema() can write this schema. It moves a schema that accepts more than
// objects into another one; a schema with references by id or anchor (`foreign`) cannot be moved.
bool has_session_schema(json::View schema) {
  return !accepted_kinds(schema).others || !traits_of(schema).foreign;
}

// Writes the schema that the session era needs in place of `schema`. There structured content must
// be an object, so a value that is no object is wrapped: {"result": value}. The written schema
// accepts the objects as they are and the other values wrapped; its root must be "type": "object".
void write_session_schema(json::Writer& writer, json::View schema) {
  const AcceptedKinds accepted = accepted_kinds(schema);
  if (!accepted.others) return Overlay().text("type", "object").write(writer, schema);
  writer.begin_object();
  if (const auto dialect = schema.find("$schema")) writer.member("$schema", *dialect);
  writer.member("type", "object");
  if (accepted.objects) {
    const auto refer = [&] { writer.begin_object().member("$ref", "#/$defs/value").end_object(); };
    writer.key("anyOf").begin_array();
    refer();
    writer.begin_object();
    write_result_member(writer, refer);
    writer.end_object().end_array().key("$defs").begin_object().key("value");
    write_moved(writer, schema, "/$defs/value");
    writer.end_object();
  } else {
    write_result_member(writer, [&] { write_moved(writer, schema, "/properties/result"); });
  }
  writer.end_object();
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
  if (era == Era::sessions && tool.output_schema) {
    const json::View schema = tool.output_schema->view();
    if (has_session_schema(schema)) {
      overlay.member("outputSchema",
                     [schema](json::Writer& out) { write_session_schema(out, schema); });
    } else {
      overlay.without("outputSchema");
    }
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

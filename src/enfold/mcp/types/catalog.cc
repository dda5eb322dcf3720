// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/catalog.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"

#include <fmt/core.h>

namespace enfold::mcp {
namespace {

tl::unexpected<Error> lacks(std::string_view what, std::string_view member) {
  return fail(ErrorCode::protocol_violation, fmt::format("expected {} with {}", what, member),
              fmt::format("/{}", member), "tell the author of the server");
}

std::optional<json::Value> value_member(json::View object, std::string_view key) {
  const auto found = object_member(object, key);
  if (!found) return std::nullopt;
  return json::Value(*found);
}

template <class T, class Read>
Result<Page<T>> read_page(json::View result, std::string_view key, Read read) {
  Page<T> page;
  page.next = json::string_member(result, "nextCursor");
  const auto items = result.find(key);
  if (!items || !items->is_array()) return lacks("a list result", key);
  std::size_t index = 0;
  for (const json::View item : items->items()) {
    Result<T> one = read(item);
    if (!one) {
      Error error = one.error();
      error.where = fmt::format("/{}/{}{}", key, index, error.where);
      return tl::unexpected(std::move(error));
    }
    page.items.push_back(std::move(*one));
    ++index;
  }
  return page;
}

template <class T, class Write>
json::Output write_page(const Page<T>& page, std::string_view key, Write write_one) {
  json::Writer writer;
  writer.begin_object().key(key).begin_array();
  for (const T& item : page.items) write_one(writer, item);
  writer.end_array();
  if (page.next) writer.member("nextCursor", *page.next);
  writer.end_object();
  return std::move(writer).finish();
}

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

bool may_retry(const ToolHints& hints) { return hints.read_only || hints.idempotent; }

Result<Tool> read_tool(json::View value) {
  Tool tool;
  auto name = json::string_member(value, "name");
  if (!name) return lacks("a tool", "name");
  auto schema = value_member(value, "inputSchema");
  if (!schema) return lacks("a tool", "inputSchema");
  tool.name = std::move(*name);
  tool.title = json::string_member(value, "title");
  tool.description = json::string_member(value, "description");
  tool.input_schema = std::move(*schema);
  tool.output_schema = value_member(value, "outputSchema");
  tool.annotations = value_member(value, "annotations");
  tool.original = json::Value(value);
  return tool;
}

Result<Resource> read_resource(json::View value) {
  auto uri = json::string_member(value, "uri");
  if (!uri) return lacks("a resource", "uri");
  auto name = json::string_member(value, "name");
  if (!name) return lacks("a resource", "name");
  return Resource{std::move(*uri),
                  std::move(*name),
                  json::string_member(value, "title"),
                  json::string_member(value, "description"),
                  json::string_member(value, "mimeType"),
                  json::Value(value)};
}

Result<ResourceTemplate> read_resource_template(json::View value) {
  auto uri = json::string_member(value, "uriTemplate");
  if (!uri) return lacks("a resource template", "uriTemplate");
  auto name = json::string_member(value, "name");
  if (!name) return lacks("a resource template", "name");
  return ResourceTemplate{std::move(*uri),
                          std::move(*name),
                          json::string_member(value, "title"),
                          json::string_member(value, "description"),
                          json::string_member(value, "mimeType"),
                          json::Value(value)};
}

Result<Prompt> read_prompt(json::View value) {
  auto name = json::string_member(value, "name");
  if (!name) return lacks("a prompt", "name");
  Prompt prompt{std::move(*name),
                json::string_member(value, "title"),
                json::string_member(value, "description"),
                {},
                json::Value(value)};
  const auto arguments = value.find("arguments");
  if (!arguments) return prompt;
  for (const json::View argument : arguments->items()) {
    auto argument_name = json::string_member(argument, "name");
    if (!argument_name) return lacks("a prompt argument", "name");
    const auto required = argument.find("required");
    prompt.arguments.push_back({std::move(*argument_name),
                                json::string_member(argument, "description"),
                                required && required->boolean(), json::Value(argument)});
  }
  return prompt;
}

Result<Page<Tool>> read_tools(json::View result) {
  return read_page<Tool>(result, "tools", read_tool);
}
Result<Page<Resource>> read_resources(json::View result) {
  return read_page<Resource>(result, "resources", read_resource);
}
Result<Page<ResourceTemplate>> read_resource_templates(json::View result) {
  return read_page<ResourceTemplate>(result, "resourceTemplates", read_resource_template);
}
Result<Page<Prompt>> read_prompts(json::View result) {
  return read_page<Prompt>(result, "prompts", read_prompt);
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

void write(json::Writer& writer, const Resource& resource) {
  Overlay overlay;
  overlay.text("uri", resource.uri).text("name", resource.name).text("title", resource.title);
  overlay.text("description", resource.description).text("mimeType", resource.mime_type);
  overlay.write(writer, resource.original.view());
}

void write(json::Writer& writer, const ResourceTemplate& resource_template) {
  Overlay overlay;
  overlay.text("uriTemplate", resource_template.uri_template).text("name", resource_template.name);
  overlay.text("title", resource_template.title);
  overlay.text("description", resource_template.description);
  overlay.text("mimeType", resource_template.mime_type);
  overlay.write(writer, resource_template.original.view());
}

void write(json::Writer& writer, const Prompt& prompt) {
  Overlay overlay;
  overlay.text("name", prompt.name).text("title", prompt.title);
  overlay.text("description", prompt.description);
  if (!prompt.arguments.empty()) {
    overlay.member("arguments", [&](json::Writer& out) {
      out.begin_array();
      for (const PromptArgument& argument : prompt.arguments) {
        Overlay one;
        one.text("name", argument.name).text("description", argument.description);
        if (argument.required || argument.original->find("required")) {
          one.member("required", [&](json::Writer& inner) { inner.boolean(argument.required); });
        }
        one.write(out, argument.original.view());
      }
      out.end_array();
    });
  }
  overlay.write(writer, prompt.original.view());
}

json::Output write_tools(const Page<Tool>& page, Era era) {
  return write_page(page, "tools",
                    [&](json::Writer& writer, const Tool& tool) { write(writer, tool, era); });
}
json::Output write_resources(const Page<Resource>& page) {
  return write_page(page, "resources",
                    [](json::Writer& writer, const Resource& one) { write(writer, one); });
}
json::Output write_resource_templates(const Page<ResourceTemplate>& page) {
  return write_page(page, "resourceTemplates",
                    [](json::Writer& writer, const ResourceTemplate& one) { write(writer, one); });
}
json::Output write_prompts(const Page<Prompt>& page) {
  return write_page(page, "prompts",
                    [](json::Writer& writer, const Prompt& one) { write(writer, one); });
}

bool has_object_root(json::View schema) {
  const auto type = schema.find("type");
  return type && type->equals("object");
}

}  // namespace enfold::mcp

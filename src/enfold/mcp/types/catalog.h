// SPDX-License-Identifier: Apache-2.0
// What a server offers: tools, resources, templates and prompts. Each keeps the object it was read
// from, and writing gives that object again with the typed fields as they are now; so a gateway may
// change a name or a schema and leave the rest alone.
#pragma once

#include "enfold/mcp/wire/headers.h"
#include "enfold/mcp/wire/message.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::mcp {

struct Tool {
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  json::Value input_schema;  ///< an object with "type": "object"
  std::optional<json::Value> output_schema;
  std::optional<json::Value> annotations;
  json::Value original;
  friend bool operator==(const Tool&, const Tool&) = default;
};

/// The hints of a tool's annotations, with the defaults of the protocol. They are the server's
/// word.
struct ToolHints {
  bool read_only = false;
  bool destructive = true;  ///< says nothing about a tool that is read-only
  bool idempotent = false;  ///< says nothing about a tool that is read-only
};
[[nodiscard]] ToolHints read_tool_hints(const std::optional<json::Value>& annotations);
/// Whether a second call of the tool does no harm: it changes nothing, or a repetition changes
/// nothing more.
[[nodiscard]] bool may_retry(const ToolHints& hints);

struct Resource {
  std::string uri;
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> mime_type;
  json::Value original;
  friend bool operator==(const Resource&, const Resource&) = default;
};

struct ResourceTemplate {
  std::string uri_template;
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> mime_type;
  json::Value original;
  friend bool operator==(const ResourceTemplate&, const ResourceTemplate&) = default;
};

struct PromptArgument {
  std::string name;
  std::optional<std::string> description;
  bool required = false;
  json::Value original;
  friend bool operator==(const PromptArgument&, const PromptArgument&) = default;
};

struct Prompt {
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::vector<PromptArgument> arguments;
  json::Value original;
  friend bool operator==(const Prompt&, const Prompt&) = default;
};

/// One page of a list, and how to get the next. A page without `next` is the last.
template <class T>
struct Page {
  std::vector<T> items;
  std::optional<std::string> next;
};

[[nodiscard]] Result<Tool> read_tool(json::View value);
[[nodiscard]] Result<Resource> read_resource(json::View value);
[[nodiscard]] Result<ResourceTemplate> read_resource_template(json::View value);
[[nodiscard]] Result<Prompt> read_prompt(json::View value);

/// From the result of a list request. `protocol_violation` names the entry that is broken.
[[nodiscard]] Result<Page<Tool>> read_tools(json::View result);
[[nodiscard]] Result<Page<Resource>> read_resources(json::View result);
[[nodiscard]] Result<Page<ResourceTemplate>> read_resource_templates(json::View result);
[[nodiscard]] Result<Page<Prompt>> read_prompts(json::View result);

/// As a server of that era may offer it: before 2026-07-28 an output schema describes an object, so
/// any other becomes {"result": …}, as the results do (`as_session_result`).
void write(json::Writer& writer, const Tool& tool, Era era);
void write(json::Writer& writer, const Resource& resource);
void write(json::Writer& writer, const ResourceTemplate& resource_template);
void write(json::Writer& writer, const Prompt& prompt);

/// Whole results of the list methods, for `Complete`.
[[nodiscard]] json::Output write_tools(const Page<Tool>& page, Era era);
[[nodiscard]] json::Output write_resources(const Page<Resource>& page);
[[nodiscard]] json::Output write_resource_templates(const Page<ResourceTemplate>& page);
[[nodiscard]] json::Output write_prompts(const Page<Prompt>& page);

/// Whether an output schema describes objects only.
[[nodiscard]] bool has_object_root(json::View schema);

}  // namespace enfold::mcp

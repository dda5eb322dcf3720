// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/catalog.h"

#include "enfold/answer/announced_schema.h"
#include "enfold/level/decide.h"
#include "enfold/tools/fetch_tool.h"
#include "enfold/tools/server_tool.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::server {
namespace {

// A tool whose answer has more to show says how to ask for it.
json::Value with_level_argument(const json::Value& schema) {
  if (const auto properties = schema->find("properties");
      properties && properties->find(level::kLevelArgument)) {
    return schema;
  }
  json::Writer writer;
  writer.begin_object();
  bool written = false;
  const auto write_properties = [&](std::optional<json::View> given) {
    written = true;
    writer.key("properties").begin_object();
    if (given) {
      for (const json::Member& member : given->members()) {
        writer.key(member.key).value(member.value);
      }
    }
    writer.key(level::kLevelArgument).begin_object().member("type", "string");
    writer.key("enum").begin_array();
    for (const std::string_view name : model::Names<model::Level>::values) writer.string(name);
    writer.end_array().member("description", "How much detail; minimal unless said.");
    writer.end_object().end_object();
  };
  for (const json::Member& member : schema->members()) {
    if (member.key.equals("properties") && member.value.is_object()) {
      write_properties(member.value);
    } else {
      writer.key(member.key).value(member.value);
    }
  }
  if (!written) write_properties(std::nullopt);
  writer.end_object();
  return std::move(writer).finish_value();
}

tl::unexpected<Error> named(const Error& error, const std::string& tool) {
  return fail(error.code, fmt::format("tool {}: {}", tool, error.message), error.where, error.hint);
}

Result<OfferedTool> offer(ToolSpec spec, OfferedTool::Kind kind) {
  Result<schema::Schema> input = schema::Schema::compile(spec.input_schema);
  if (!input) return named(input.error(), spec.name);
  Result<mcp::ParamHeaders> headers = mcp::read_param_headers(spec.input_schema.view());
  if (!headers) return named(headers.error(), spec.name);
  OfferedTool tool{.kind = kind, .input = std::move(*input), .headers = std::move(*headers)};
  if (const auto names = spec.input_schema->find("required")) {
    for (const json::View name : names->items()) tool.required.push_back(name.string());
  }
  if (const auto properties = spec.input_schema->find("properties")) {
    for (const json::Member& member : properties->members()) {
      tool.arguments.push_back(member.key.string());
    }
  }
  if (spec.has_levels) spec.input_schema = with_level_argument(spec.input_schema);
  if (!spec.payload_schema->is_null()) {
    Result<budget::OutputSchema> payload = budget::OutputSchema::compile(spec.payload_schema);
    if (!payload) return named(payload.error(), spec.name);
    tool.payload = std::move(*payload);
  }
  tool.spec = std::move(spec);
  return tool;
}

ToolSpec server_spec() {
  ToolSpec spec;
  spec.name = tools::kServerTool;
  spec.description = tools::server_tool_description();
  spec.input_schema = tools::server_tool_input_schema();
  spec.payload_schema = tools::server_tool_payload_schema();
  spec.annotations = {{"readOnlyHint", true}};
  return spec;
}

ToolSpec fetch_spec() {
  ToolSpec spec;
  spec.name = tools::kFetchTool;
  spec.description = tools::fetch_tool_description();
  spec.input_schema = tools::fetch_tool_input_schema();
  spec.payload_schema = json::parse_own("{}");
  spec.annotations = {{"readOnlyHint", true}, {"idempotentHint", true}};
  spec.deadline = std::chrono::seconds(30);
  return spec;
}

mcp::Tool as_mcp(const OfferedTool& tool, AnswerContract contract) {
  mcp::Tool out;
  out.name = tool.spec.name;
  if (!tool.spec.title.empty()) out.title = tool.spec.title;
  out.description = tool.spec.description;
  out.input_schema = tool.spec.input_schema;
  json::Value schema = tool.output_schema(contract);
  if (!schema->is_null()) out.output_schema = std::move(schema);
  if (!tool.spec.annotations.empty()) {
    json::Writer writer;
    writer.begin_object();
    for (const auto& [hint, value] : tool.spec.annotations) writer.member(hint, value);
    writer.end_object();
    out.annotations = std::move(writer).finish_value();
  }
  return out;
}

std::optional<std::string> said(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

AnswerContract answer_contract(std::string_view name) {
  return name == "none" ? std::nullopt : contract::from_name(name);
}

json::Value OfferedTool::output_schema(AnswerContract contract) const {
  // Words and blocks have no structure to describe, until an envelope is put around them.
  if (!contract) return spec.payload_schema;
  if (spec.payload_schema->is_null()) {
    return answer::announced_schema(*contract, json::parse_own("{}").view());
  }
  return answer::announced_schema(*contract, spec.payload_schema.view());
}

Result<Catalog> Catalog::create(const Server& server) {
  Catalog catalog;
  const auto add = [&](ToolSpec spec, OfferedTool::Kind kind) -> Status {
    Result<OfferedTool> tool = offer(std::move(spec), kind);
    if (!tool) return tl::unexpected(tool.error());
    const auto& redaction = server.settings().redaction;
    const std::string& version = tool->spec.version.empty() ? server.version() : tool->spec.version;
    tool->is_clean = redaction && answer::is_clean_tool(tool->spec.name, version, *redaction);
    catalog.tools_.push_back(std::move(*tool));
    return {};
  };
  for (const ToolSpec& spec : server.tools()) {
    if (Status done = add(spec, OfferedTool::Kind::author); !done) {
      return tl::unexpected(done.error());
    }
  }
  if (!server.settings().own_tools) return catalog;
  // An author's tool of the same name is the one that counts.
  using Kind = OfferedTool::Kind;
  for (auto& [spec, kind] :
       {std::pair(server_spec(), Kind::server), std::pair(fetch_spec(), Kind::fetch)}) {
    if (catalog.find(spec.name) != nullptr) continue;
    if (kind == Kind::fetch && !server.settings().keeps_originals) continue;
    if (Status done = add(spec, kind); !done) return tl::unexpected(done.error());
  }
  return catalog;
}

const OfferedTool* Catalog::find(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(),
                                  [&](const OfferedTool& tool) { return tool.spec.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

mcp::ServerConfig Catalog::server_config(const Server& server) const {
  mcp::ServerConfig config;
  json::Writer info;
  info.begin_object().member("name", server.name()).member("version", server.version());
  if (!server.settings().title.empty()) info.member("title", server.settings().title);
  info.end_object();
  config.info = std::move(info).finish_value();
  config.instructions = server.settings().instructions;

  const auto changing = [](json::Writer& writer, std::string_view name) {
    writer.key(name).begin_object().member("listChanged", true).end_object();
  };
  json::Writer capabilities;
  capabilities.begin_object();
  changing(capabilities, "tools");
  if (!server.prompts().empty()) changing(capabilities, "prompts");
  bool completes = false;
  if (!server.resources().empty() || !server.templates().empty()) {
    capabilities.key("resources").begin_object();
    capabilities.member("subscribe", true).member("listChanged", true).end_object();
  }
  for (const PromptSpec& prompt : server.prompts()) {
    for (const PromptArgumentSpec& argument : prompt.arguments) {
      completes = completes || static_cast<bool>(argument.complete);
    }
  }
  for (const Server::Template& one : server.templates()) {
    completes = completes || !one.spec.complete.empty();
  }
  if (completes) capabilities.key("completions").begin_object().end_object();
  capabilities.key("logging").begin_object().end_object().end_object();
  config.capabilities = mcp::Capabilities(std::move(capabilities).finish_value());
  // The lists are the same for everybody and for as long as the process lives.
  config.cache = {std::chrono::minutes(5), mcp::CacheHint::Scope::for_everyone};
  config.discover_cache = {std::chrono::hours(1), mcp::CacheHint::Scope::for_everyone};
  config.param_headers = [this](std::string_view tool) {
    const OfferedTool* found = find(tool);
    return found != nullptr ? &found->headers : nullptr;
  };
  return config;
}

json::Output Catalog::list_tools(AnswerContract contract, mcp::Era era, bool structured) const {
  mcp::Page<mcp::Tool> page;
  for (const OfferedTool& tool : tools_) {
    page.items.push_back(as_mcp(tool, contract));
    // Where a schema is announced, clients insist on structured content.
    if (contract && !structured) page.items.back().output_schema.reset();
  }
  return mcp::write_tools(page, era);
}

json::Output list_resources(const Server& server) {
  mcp::Page<mcp::Resource> page;
  for (const ResourceSpec& spec : server.resources()) {
    page.items.push_back(
        {spec.uri, spec.name, std::nullopt, said(spec.description), said(spec.mime_type), {}});
  }
  return mcp::write_resources(page);
}

json::Output list_templates(const Server& server) {
  mcp::Page<mcp::ResourceTemplate> page;
  for (const Server::Template& one : server.templates()) {
    page.items.push_back({one.spec.uri,
                          one.spec.name,
                          std::nullopt,
                          said(one.spec.description),
                          said(one.spec.mime_type),
                          {}});
  }
  return mcp::write_resource_templates(page);
}

json::Output list_prompts(const Server& server) {
  mcp::Page<mcp::Prompt> page;
  for (const PromptSpec& spec : server.prompts()) {
    mcp::Prompt prompt{spec.name, std::nullopt, said(spec.description), {}, {}};
    for (const PromptArgumentSpec& argument : spec.arguments) {
      prompt.arguments.push_back(
          {argument.name, said(argument.description), argument.required, {}});
    }
    page.items.push_back(std::move(prompt));
  }
  return mcp::write_prompts(page);
}

}  // namespace enfold::server

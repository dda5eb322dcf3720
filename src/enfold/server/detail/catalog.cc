// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/dispatch.h"

#include <algorithm>

namespace enfold::server {
namespace {

std::optional<std::string> said(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

Result<Catalog> Catalog::create(const Server& server) {
  Catalog catalog;
  for (const ToolSpec& spec : server.tools()) {
    ENFOLD_TRY(tools::OfferedTool offered,
               tools::offer(spec, tools::ArgumentPolicy::checked, server.version(),
                            server.settings().redaction));
    catalog.tools_.push_back({std::move(offered), spec.handler});
  }
  return catalog;
}

const HandledTool* Catalog::find(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(), [&](const HandledTool& tool) {
    return tool.offered.spec.name == name;
  });
  return found == tools_.end() ? nullptr : &*found;
}

std::set<std::string> Catalog::names() const {
  std::set<std::string> names;
  for (const HandledTool& tool : tools_) names.insert(tool.offered.spec.name);
  return names;
}

mcp::ServerConfig server_config(
    const Server& server, std::function<const mcp::ParamHeaders*(std::string_view tool)> headers) {
  mcp::ServerConfig config;
  json::Writer info;
  info.begin_object().member("name", server.name()).member("version", server.version());
  if (!server.title.empty()) info.member("title", server.title);
  info.end_object();
  config.info = std::move(info).finish_value();
  config.instructions = server.instructions;

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
  // The lists are the same for every client and for as long as the process lives.
  config.cache = {std::chrono::minutes(5), mcp::CacheHint::Scope::for_everyone};
  config.discover_cache = {std::chrono::hours(1), mcp::CacheHint::Scope::for_everyone};
  config.param_headers = std::move(headers);
  return config;
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

// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/dispatch.h"

#include <algorithm>

namespace enfold::server {
namespace {

// An empty text is left out.
void write_text(json::Writer& writer, std::string_view key, const std::string& text) {
  if (!text.empty()) writer.member(key, text);
}

template <class Items, class WriteItem>
json::Output write_list(std::string_view key, const Items& items, WriteItem write_item) {
  json::Writer writer;
  writer.begin_object().key(key).begin_array();
  for (const auto& item : items) {
    writer.begin_object();
    write_item(writer, item);
    writer.end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).finish();
}

}  // namespace

std::size_t concurrency_of(const ToolSpec& tool, const Settings& settings) {
  if (tool.max_concurrent != 0) return tool.max_concurrent;
  return tool.on_worker ? settings.workers : settings.max_waiting;
}

std::size_t worker_threads(const Server& server) {
  constexpr std::size_t kForOwnWork = 2;
  std::size_t threads = server.settings().workers + kForOwnWork;
  for (const ToolSpec& tool : server.tools()) {
    if (tool.on_worker) threads += concurrency_of(tool, server.settings());
  }
  return threads;
}

Result<Catalog> Catalog::create(const Server& server) {
  Catalog catalog;
  for (const ToolSpec& spec : server.tools()) {
    if (spec.deadline && !spec.on_worker && !spec.deferred) {
      return fail(ErrorCode::invalid_input,
                  "tool " + spec.name + ": deadline() needs slow() or a handler with a Reply");
    }
    ENFOLD_TRY(tools::OfferedTool offered,
               tools::offer(spec, tools::ArgumentPolicy::checked, server.version(),
                            server.settings().redaction));
    const Settings& settings = server.settings();
    const std::size_t most = concurrency_of(spec, settings);
    catalog.tools_.push_back({std::move(offered), spec.handler, spec.on_worker, spec.deferred,
                              std::make_shared<tools::FairLane>(tools::FairLane::Bounds{
                                  .running = most, .each = most, .waiting = settings.max_waiting}),
                              spec.task});
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
  if (std::ranges::any_of(server.tools(),
                          [](const ToolSpec& tool) { return tool.task.has_value(); })) {
    capabilities.key("extensions").begin_object();
    capabilities.key(mcp::kTasksExtension).begin_object().end_object().end_object();
  }
  capabilities.key("logging").begin_object().end_object().end_object();
  config.capabilities = mcp::Capabilities(std::move(capabilities).finish_value());
  // The lists do not change while the process lives, but output schemas differ by client.
  config.cache = {std::chrono::minutes(5), mcp::CacheHint::Scope::only_for_caller};
  config.discover_cache = {std::chrono::hours(1), mcp::CacheHint::Scope::for_everyone};
  config.param_headers = std::move(headers);
  return config;
}

json::Output list_resources(const Server& server) {
  return write_list("resources", server.resources(), [](json::Writer& writer, const auto& spec) {
    writer.member("uri", spec.uri).member("name", spec.name);
    write_text(writer, "description", spec.description);
    write_text(writer, "mimeType", spec.mime_type);
  });
}

json::Output list_templates(const Server& server) {
  return write_list("resourceTemplates", server.templates(),
                    [](json::Writer& writer, const Server::Template& one) {
                      writer.member("uriTemplate", one.spec.uri).member("name", one.spec.name);
                      write_text(writer, "description", one.spec.description);
                      write_text(writer, "mimeType", one.spec.mime_type);
                    });
}

json::Output list_prompts(const Server& server) {
  return write_list("prompts", server.prompts(), [](json::Writer& writer, const PromptSpec& spec) {
    writer.member("name", spec.name);
    write_text(writer, "description", spec.description);
    if (spec.arguments.empty()) return;
    writer.key("arguments").begin_array();
    for (const PromptArgumentSpec& argument : spec.arguments) {
      writer.begin_object().member("name", argument.name);
      write_text(writer, "description", argument.description);
      if (argument.required) writer.member("required", true);
      writer.end_object();
    }
    writer.end_array();
  });
}

}  // namespace enfold::server

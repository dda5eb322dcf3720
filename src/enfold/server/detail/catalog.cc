// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/dispatch.h"
#include "enfold/server/detail/offer_state.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::server {
namespace {

// Whether the schema of an object declares a member of this name.
bool declares(const json::Value& schema, std::string_view name) {
  const auto properties = schema->find("properties");
  return properties && properties->find(name).has_value();
}

// Why a tool with this declaration cannot be offered; empty: it can.
std::string fault_of(const ToolSpec& tool, const Settings& settings) {
  if (!tool.handler) return "the object of its member function is a null pointer";
  if (tool.deadline && *tool.deadline <= std::chrono::milliseconds(0)) {
    return "expected a deadline of more than 0 milliseconds";
  }
  if (!tool.flag.empty() && settings.flags.find(tool.flag) == nullptr) {
    return fmt::format("expected a flag of Settings::flags, found \"{}\"", tool.flag);
  }
  if (tool.has_levels && declares(tool.input_schema, level::kLevelArgument)) {
    return fmt::format("its argument {} has the name of the one that chooses the level",
                       level::kLevelArgument);
  }
  if (tool.on_worker || tool.deferred) return {};
  if (tool.deadline) return "deadline() needs slow() or a handler with a Reply";
  if (tool.max_concurrent != 0) return "max_concurrent() needs slow() or a handler with a Reply";
  return {};
}

}  // namespace

std::size_t concurrency_of(const ToolSpec& tool, const Settings& settings) {
  if (tool.max_concurrent != 0) return tool.max_concurrent;
  return tool.on_worker ? settings.workers : settings.max_waiting;
}

Result<Catalog> Catalog::create(const Server& server) {
  Catalog catalog;
  for (const Error& error : catalog.update(server)) return tl::unexpected(error);
  return catalog;
}

std::vector<Error> Catalog::update(const Server& server) {
  std::vector<Error> errors;
  std::vector<Entry> tools;
  const Settings& settings = server.settings();
  for (const Offered<ToolSpec>& one : server.lists()->tools) {
    const auto unchanged = std::ranges::find(tools_, one.spec, &Entry::spec);
    if (unchanged != tools_.end()) {
      tools.push_back(*unchanged);
      continue;
    }
    const ToolSpec& spec = *one.spec;
    if (const std::string fault = fault_of(spec, settings); !fault.empty()) {
      errors.push_back({ErrorCode::invalid_input, fmt::format("tool {}: {}", spec.name, fault)});
      continue;
    }
    if (const Status checked = tools::check_tool_name(spec.name, settings); !checked) {
      errors.push_back(checked.error());
      continue;
    }
    Result<tools::OfferedTool> offered =
        tools::offer(spec, tools::ArgumentPolicy::checked, server.version(), settings.redaction);
    if (!offered) {
      errors.push_back(offered.error());
      continue;
    }
    const std::size_t concurrency = concurrency_of(spec, settings);
    auto lane = std::make_shared<tools::FairLane>(
        tools::FairLane::Bounds{.running = concurrency,
                                .running_per_principal = concurrency,
                                .waiting_per_principal = settings.max_waiting});
    tools.push_back({one.number, one.spec,
                     std::make_shared<const HandledTool>(
                         HandledTool{std::move(*offered), spec.handler, spec.on_worker,
                                     spec.deferred, lane, spec.task, spec.paged}),
                     lane});
  }
  // A lane holds waiting calls, so the lane of a removed tool is kept until it is idle.
  for (const Entry& before : tools_) {
    const bool stays = std::ranges::find(tools, before.spec, &Entry::spec) != tools.end();
    if (!stays) former_lanes_.push_back(before.lane);
  }
  std::erase_if(former_lanes_, [](const auto& lane) { return lane->is_idle(); });
  tools_ = std::move(tools);
  return errors;
}

std::shared_ptr<const HandledTool> Catalog::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tools_, [&](const Entry& entry) { return entry.spec->name == name; });
  return found == tools_.end() ? nullptr : found->tool;
}

std::set<std::string> Catalog::names() const {
  std::set<std::string> names;
  for (const Entry& entry : tools_) names.insert(entry.spec->name);
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

  const auto write_changing_list = [](json::Writer& writer, std::string_view name) {
    writer.key(name).begin_object().member("listChanged", true).end_object();
  };
  json::Writer capabilities;
  capabilities.begin_object();
  write_changing_list(capabilities, "tools");
  const std::shared_ptr<const OfferLists> lists = server.lists();
  const auto completes_any = [](const auto& arguments) {
    return std::ranges::any_of(arguments, [](const ArgumentSpec& argument) {
      return static_cast<bool>(argument.complete);
    });
  };
  const bool will_offer_prompts = server.state()->will_offer(mcp::ListKind::prompts);
  const bool will_offer_resources = server.state()->will_offer(mcp::ListKind::resources);
  if (will_offer_prompts || !lists->prompts.empty()) write_changing_list(capabilities, "prompts");
  if (will_offer_resources || !lists->resources.empty() || !lists->templates.empty()) {
    capabilities.key("resources").begin_object();
    capabilities.member("subscribe", true).member("listChanged", true).end_object();
  }
  if (will_offer_prompts || will_offer_resources ||
      std::ranges::any_of(lists->prompts,
                          [&](const auto& one) { return completes_any(one.spec->arguments); }) ||
      std::ranges::any_of(lists->templates, [&](const auto& one) {
        return completes_any(one.spec->resource.arguments);
      })) {
    capabilities.key("completions").begin_object().end_object();
  }
  if (std::ranges::any_of(lists->tools,
                          [](const auto& one) { return one.spec->task.has_value(); })) {
    capabilities.key("extensions").begin_object();
    capabilities.key(mcp::kTasksExtension).begin_object().end_object().end_object();
  }
  capabilities.key("logging").begin_object().end_object().end_object();
  config.capabilities = mcp::Capabilities(std::move(capabilities).finish_value());
  // Only the client itself may keep a list, because output schemas differ by client; five minutes
  // are for clients that do not listen to list_changed.
  config.cache = {std::chrono::minutes(5), mcp::CacheHint::Scope::only_for_caller};
  config.discover_cache = {std::chrono::hours(1), mcp::CacheHint::Scope::for_everyone};
  config.param_headers = std::move(headers);
  return config;
}

}  // namespace enfold::server

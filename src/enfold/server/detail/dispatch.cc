// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/dispatch.h"

#include "enfold/base/suggest.h"
#include "enfold/contract/negotiation/negotiation.h"
#include "enfold/server/detail/tool_run.h"
#include "enfold/store/memory/memory.h"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/core.h>

namespace enfold::server {
namespace {

using mcp::Method;
using mcp::Reply;

constexpr std::size_t kKeyBytes = 32;

mcp::RpcError unknown(std::string_view what, const std::string& name,
                      const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return mcp::invalid_params(near.empty() ? fmt::format("Unknown {}: {}", what, json::quote(name))
                                          : fmt::format("Unknown {}: {}, did you mean {}?", what,
                                                        json::quote(name), json::quote(near)));
}

// What a handler of a resource or a prompt could not do; there is no envelope to say it in.
Reply settle(Trouble& trouble, std::string_view about, const Context& context, const Shared& shared,
             mcp::Era era, const std::string& uri) {
  if (auto* needs = std::get_if<NeedsInput>(&trouble)) {
    mcp::InputRequired required{std::move(needs->requests), std::nullopt, {}};
    if (needs->state)
      required.state = seal_state(*needs->state, about, context.principal(), shared);
    return required;
  }
  if (const auto* error = std::get_if<Error>(&trouble)) {
    if (error->code == ErrorCode::not_found && !uri.empty()) {
      return mcp::resource_not_found(era, uri);
    }
    const model::Response failed = failure_of(*error);
    mcp::RpcError told = mcp::to_rpc_error(*error);
    told.message = failed.failure->message;
    return told;
  }
  const model::Response& failed = *std::get_if<model::Response>(&trouble);
  if (failed.failure && failed.failure->kind == model::ErrorKind::missing && !uri.empty()) {
    return mcp::resource_not_found(era, uri);
  }
  return mcp::invalid_params(failed.failure ? failed.failure->message : "The request failed");
}

json::Output write_content(const std::string& uri, const ResourceContent& content) {
  json::Writer writer;
  writer.begin_object().key("contents").begin_array().begin_object().member("uri", uri);
  if (!content.mime_type.empty()) writer.member("mimeType", content.mime_type);
  if (content.blob.empty()) {
    writer.member("text", content.text);
  } else {
    writer.member("blob", content.blob);
  }
  writer.end_object().end_array().end_object();
  return std::move(writer).finish();
}

json::Output write_prompt(const PromptText& prompt) {
  json::Writer writer;
  writer.begin_object();
  if (!prompt.description.empty()) writer.member("description", prompt.description);
  writer.key("messages").begin_array();
  for (const PromptMessage& message : prompt.messages) {
    writer.begin_object().member("role", message.role).member("content", message.content);
    writer.end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).finish();
}

Texts texts_of(json::View object) {
  Texts texts;
  for (const json::Member& member : object.members()) {
    if (member.value.is_string()) texts[member.key.string()] = member.value.string();
  }
  return texts;
}

}  // namespace

Result<std::unique_ptr<Dispatcher>> Dispatcher::create(const Server& server, serve::Host& host) {
  Result<Catalog> catalog = Catalog::create(server);
  if (!catalog) return tl::unexpected(catalog.error());
  const Settings& settings = server.settings();
  const auto contracts = contract::answer_contracts();
  if (std::find(contracts.begin(), contracts.end(), settings.contract) == contracts.end()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected the name of a contract or none, found {}",
                            json::quote(settings.contract)),
                "settings.contract", "`enfold contracts` lists them");
  }
  std::string bytes = settings.cursor_key;
  if (bytes.empty()) {
    std::array<std::uint8_t, kKeyBytes> chance{};
    host.fill_random(chance);
    bytes.assign(chance.begin(), chance.end());
  }
  Result<contract::CursorKey> key = contract::CursorKey::from_bytes(std::move(bytes));
  if (!key) return tl::unexpected(key.error());
  return std::unique_ptr<Dispatcher>(
      new Dispatcher(server, std::move(*catalog), host, std::move(*key)));
}

Dispatcher::Dispatcher(const Server& server, Catalog catalog, serve::Host& host,
                       contract::CursorKey key)
    : catalog_(std::move(catalog)),
      shared_{&server,
              &catalog_,
              &host,
              server.settings().archive,
              server.settings().counters,
              std::move(key),
              unasked_contract(server.settings())},
      config_(std::make_shared<const mcp::ServerConfig>(catalog_.server_config(server))) {
  if (!shared_.archive) shared_.archive = store::memory_archive();
  if (!shared_.counters) shared_.counters = store::memory_counters();
}

std::shared_ptr<serve::OpenCall> Dispatcher::begin(mcp::Call&& call,
                                                   const std::shared_ptr<serve::Port>& port) {
  if (call.method == Method::tools_call) {
    const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
    const OfferedTool* tool = catalog_.find(name);
    if (tool != nullptr) {
      auto cancellation = std::make_shared<serve::Cancellation>();
      std::make_shared<ToolRun>(*this, *tool, std::move(call), port, cancellation)->start();
      return cancellation;
    }
    std::vector<std::string> known;
    known.reserve(catalog_.tools().size());
    for (const OfferedTool& one : catalog_.tools()) known.push_back(one.spec.name);
    port->reply(call.key, unknown("tool", name, known));
    return nullptr;
  }
  port->reply(call.key, answer(call, port));
  return nullptr;
}

Reply Dispatcher::answer(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  switch (call.method) {
    case Method::tools_list:
    case Method::resources_list:
    case Method::resources_templates_list:
    case Method::prompts_list: return list(call, *port);
    case Method::resources_subscribe:
    case Method::resources_unsubscribe: return mcp::nothing();
    case Method::complete: return complete(call);
    case Method::resources_read:
    case Method::prompts_get: break;
    default: return mcp::method_not_found(call.method_name);
  }
  const Settings& settings = shared_.server->settings();
  CallFacts facts;
  facts.principal = port->memory().principal;
  facts.caller = call.caller;
  facts.inputs = call.inputs;
  if (call.inputs.state) {
    const auto* prompt = std::get_if<mcp::PromptGet>(&call.params);
    const std::string about =
        prompt != nullptr ? prompt->name : std::get_if<mcp::ResourceRead>(&call.params)->uri;
    Result<json::Value> state = open_state(*call.inputs.state, about, facts.principal, shared_);
    if (!state) return mcp::invalid_params("Invalid params: " + state.error().message);
    facts.state = std::move(*state);
  }
  Context context(std::move(facts), std::make_shared<serve::Cancellation>(),
                  std::make_shared<CallOutbox>(*this, call.key, port, false));
  try {
    return call.method == Method::prompts_get ? get_prompt(call, context)
                                              : read_resource(call, context);
  } catch (const std::exception& thrown) {
    settings.log(
        {.level = serve::LogLine::Level::error, .event = "handler_threw", .note = thrown.what()});
  } catch (...) {
    settings.log({.level = serve::LogLine::Level::error, .event = "handler_threw"});
  }
  return mcp::RpcError{mcp::code::internal_error, "The request failed", std::nullopt};
}

Reply Dispatcher::list(const mcp::Call& call, serve::Port& port) const {
  // Everything is on one page, so there is no cursor that could be right.
  if (std::get_if<mcp::ListRequest>(&call.params)->cursor) {
    return mcp::invalid_params("Invalid params: expected no cursor, for there is one page");
  }
  const mcp::Era era = call.caller ? call.caller->era : mcp::Era::sessions;
  switch (call.method) {
    case Method::tools_list: {
      std::vector<model::Warning> ignored;
      const Settings& settings = shared_.server->settings();
      const auto channels = channels_for(settings, profile_for(settings, call.caller.get()));
      return mcp::complete(catalog_.list_tools(contract_for(call, port.memory(), shared_, ignored),
                                               era, channels != answer::Channels::text));
    }
    case Method::resources_list: return mcp::complete(list_resources(*shared_.server));
    case Method::resources_templates_list: return mcp::complete(list_templates(*shared_.server));
    default: return mcp::complete(list_prompts(*shared_.server));
  }
}

Reply Dispatcher::read_resource(const mcp::Call& call, Context& context) const {
  const std::string& uri = std::get_if<mcp::ResourceRead>(&call.params)->uri;
  const mcp::Era era = call.caller ? call.caller->era : mcp::Era::sessions;
  const auto read = [&](const ResourceSpec& spec, const Texts& variables) -> Reply {
    Answer<ResourceContent> content = spec.read(uri, variables, context);
    if (Trouble* trouble = content.trouble())
      return settle(*trouble, uri, context, shared_, era, uri);
    ResourceContent shown = *content.response();
    if (shown.mime_type.empty()) shown.mime_type = spec.mime_type;
    mcp::Complete result = mcp::complete(write_content(uri, shown));
    result.cache = spec.cache ? spec.cache : mcp::CacheHint{};
    return result;
  };
  for (const ResourceSpec& spec : shared_.server->resources()) {
    if (spec.uri == uri) return read(spec, {});
  }
  for (const Server::Template& one : shared_.server->templates()) {
    const auto variables = one.uri.match(uri);
    if (variables) return read(one.spec, Texts(variables->begin(), variables->end()));
  }
  return mcp::resource_not_found(era, uri);
}

Reply Dispatcher::get_prompt(const mcp::Call& call, Context& context) const {
  const auto& asked = *std::get_if<mcp::PromptGet>(&call.params);
  const auto& prompts = shared_.server->prompts();
  const auto found = std::find_if(prompts.begin(), prompts.end(),
                                  [&](const PromptSpec& spec) { return spec.name == asked.name; });
  if (found == prompts.end()) {
    std::vector<std::string> known;
    known.reserve(prompts.size());
    for (const PromptSpec& spec : prompts) known.push_back(spec.name);
    return unknown("prompt", asked.name, known);
  }
  const Texts given = texts_of(asked.arguments.view());
  for (const PromptArgumentSpec& argument : found->arguments) {
    if (argument.required && !given.contains(argument.name)) {
      return mcp::invalid_params(
          fmt::format("Invalid params: expected a text as argument {} of the prompt {}",
                      json::quote(argument.name), json::quote(asked.name)));
    }
  }
  Answer<PromptText> prompt = found->get(given, context);
  if (Trouble* trouble = prompt.trouble()) {
    return settle(*trouble, asked.name, context, shared_, mcp::Era::sessions, {});
  }
  return mcp::complete(write_prompt(*prompt.response()));
}

Reply Dispatcher::complete(const mcp::Call& call) const {
  const auto& asked = *std::get_if<mcp::CompletionRequest>(&call.params);
  mcp::CompletionValues out;
  const auto fill = [&](const Complete& complete) {
    if (complete) out.values = complete(asked.value);
    out.total = static_cast<std::int64_t>(out.values.size());
  };
  if (asked.of == mcp::CompletionRequest::Of::prompt) {
    for (const PromptSpec& spec : shared_.server->prompts()) {
      if (spec.name != asked.reference) continue;
      for (const PromptArgumentSpec& argument : spec.arguments) {
        if (argument.name == asked.argument) fill(argument.complete);
      }
      return mcp::complete(out);
    }
    return mcp::invalid_params("Unknown prompt: " + json::quote(asked.reference));
  }
  for (const Server::Template& one : shared_.server->templates()) {
    if (one.spec.uri != asked.reference) continue;
    const auto found = one.spec.complete.find(asked.argument);
    if (found != one.spec.complete.end()) fill(found->second);
    return mcp::complete(out);
  }
  return mcp::invalid_params("Unknown resource template: " + json::quote(asked.reference));
}

void Dispatcher::count(const serve::LogLine& line) {
  ++metrics_.calls;
  ++metrics_.outcomes[line.outcome];
  if (!line.code.empty()) ++metrics_.codes[line.code];
  shared_.server->settings().log(line);
}

}  // namespace enfold::server

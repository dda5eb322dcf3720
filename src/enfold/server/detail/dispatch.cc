// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/dispatch.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/server/detail/deferred.h"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/core.h>

namespace enfold::server {
namespace {

using mcp::Method;

mcp::RpcError unknown(std::string_view what, const std::string& name,
                      const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return mcp::invalid_params(near.empty() ? fmt::format("Unknown {}: {}", what, json::quote(name))
                                          : fmt::format("Unknown {}: {}, did you mean {}?", what,
                                                        json::quote(name), json::quote(near)));
}

// The reply if the handler of a resource or a prompt returned trouble. These have no envelope, so a
// failure becomes a JSON-RPC error. `about`: for seal_state; `uri`: empty for a prompt.
mcp::Reply reply_to_trouble(Trouble& trouble, std::string_view about, const Context& context,
                            const tools::AnswerServices& services, mcp::Era era,
                            const std::string& uri) {
  if (auto* needs = std::get_if<NeedsInput>(&trouble)) {
    mcp::InputRequired required{std::move(needs->requests), std::nullopt, {}};
    if (needs->state)
      required.state = tools::seal_state(*needs->state, about, context.principal(), services);
    return required;
  }
  if (const auto* error = std::get_if<Error>(&trouble)) {
    if (error->code == ErrorCode::not_found && !uri.empty()) {
      return mcp::resource_not_found(era, uri);
    }
    const model::Response failed = answer::failure_of(*error);
    mcp::RpcError reply = mcp::to_rpc_error(*error);
    reply.message = failed.failure->message;
    return reply;
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

// The members that are strings.
Texts texts_of(json::View object) {
  Texts texts;
  for (const json::Member& member : object.members()) {
    if (member.value.is_string()) texts[member.key.string()] = member.value.string();
  }
  return texts;
}

// What a connection keeps of a running call: with it the connection can cancel the call.
class RunningCall final : public serve::OpenCall {
 public:
  explicit RunningCall(std::weak_ptr<tools::ToolRun> run) : run_(std::move(run)) {}
  void cancel(serve::CancelCause /*cause*/) override {
    if (const std::shared_ptr<tools::ToolRun> run = run_.lock()) run->withdraw();
  }

 private:
  std::weak_ptr<tools::ToolRun> run_;
};

// The name of a request in the log and in the state of a question.
std::string subject_of(const mcp::Call& call) {
  if (const auto* prompt = std::get_if<mcp::PromptGet>(&call.params)) return prompt->name;
  if (const auto* read = std::get_if<mcp::ResourceRead>(&call.params)) return read->uri;
  return call.method_name;
}

}  // namespace

Dispatcher::Dispatcher(const Server& server, Catalog catalog, tools::AnswerServices services)
    : server_(server),
      catalog_(std::move(catalog)),
      services_(std::move(services)),
      tasks_(*services_.host, server.settings().max_tasks,
             [this](mcp::Call call, const auto& task, const auto& channel) {
               const auto& tool = *catalog_.find(std::get_if<mcp::ToolCall>(&call.params)->name);
               (void)run_tool(tool, std::move(call), channel, task);
             }),
      thread_(std::make_shared<ServingThread>(*services_.host)),
      offers_lane_(std::make_shared<tools::FairLane>(
          tools::FairLane::Bounds{.running = server.settings().workers,
                                  .each = server.settings().workers,
                                  .waiting = server.settings().max_waiting})) {}

// What authors do when they are told to stop may finish a reply, so the thread is closed last.
Dispatcher::~Dispatcher() {
  const std::set<std::shared_ptr<DeferredRun>> open = std::move(deferred_);
  for (const std::shared_ptr<DeferredRun>& run : open) run->abandon();
  thread_->close();
}

Result<std::unique_ptr<Dispatcher>> Dispatcher::create(const Server& server, serve::Host& host) {
  ENFOLD_TRY(Catalog catalog, Catalog::create(server));
  ENFOLD_TRY(tools::AnswerServices services,
             tools::make_services(server.settings(), server.name(), server.version(), host));
  std::unique_ptr<Dispatcher> made(new Dispatcher(server, std::move(catalog), std::move(services)));
  Dispatcher& self = *made;
  // A tool of the author replaces Enfold's own tool of the same name.
  ENFOLD_TRY(self.local_,
             tools::LocalTools::create(self.services_, self.catalog_.names(),
                                       [&self](tools::AnswerContract contract) {
                                         std::vector<tools::ToolFact> facts;
                                         for (const HandledTool& tool : self.catalog_.tools()) {
                                           facts.push_back(tools::fact_of(tool.offered, contract));
                                         }
                                         return facts;
                                       }));
  self.config_ = std::make_shared<const mcp::ServerConfig>(
      server_config(server, [&self](std::string_view tool) { return self.headers_of(tool); }));
  return made;
}

const mcp::ParamHeaders* Dispatcher::headers_of(std::string_view tool) const {
  if (const HandledTool* found = catalog_.find(tool)) return &found->offered.headers;
  const tools::OfferedTool* local = local_->find(tool);
  return local != nullptr ? &local->headers : nullptr;
}

std::shared_ptr<serve::OpenCall> Dispatcher::begin(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  if (call.method == Method::tools_call) {
    return call_tool(std::move(call), channel);
  }
  switch (call.method) {
    case Method::complete:
    case Method::resources_read:
    case Method::prompts_get: return answer_on_worker(std::move(call), channel);
    case Method::tasks_get:
    case Method::tasks_update:
    case Method::tasks_cancel:
      channel->reply(call.key, tasks_.answer(call, channel));
      return nullptr;
    default: channel->reply(call.key, answer(call, *channel)); return nullptr;
  }
}

std::shared_ptr<serve::OpenCall> Dispatcher::call_tool(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
  if (const HandledTool* tool = catalog_.find(name)) {
    if (tool->task && tool->task->required && !mcp::accepts_tasks(call)) {
      channel->reply(call.key, mcp::missing_extension(mcp::kTasksExtension));
      return nullptr;
    }
    return run_tool(*tool, std::move(call), channel, nullptr);
  }
  if (const tools::OfferedTool* local = local_->find(name)) {
    return local_->begin(*local, std::move(call), channel,
                         tools::terms_of_client(call, channel->state(), services_));
  }
  const std::set<std::string> own = catalog_.names();
  std::vector<std::string> known(own.begin(), own.end());
  for (const tools::OfferedTool& one : local_->all()) known.push_back(one.spec.name);
  channel->reply(call.key, unknown("tool", name, known));
  return nullptr;
}

std::shared_ptr<serve::OpenCall> Dispatcher::run_tool(
    const HandledTool& tool, mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel,
    std::shared_ptr<ServerTask> task) {
  const auto make = [&]<class Run>(std::type_identity<Run>) -> std::shared_ptr<HandlerRun> {
    return std::make_shared<Run>(*this, tool, services_, running_, std::move(call), channel, task);
  };
  const auto run = tool.deferred ? make(std::type_identity<DeferredRun>())
                                 : make(std::type_identity<HandlerRun>());
  if (task) task->set_run(run);
  run->start();
  if (run->is_answered()) return nullptr;  // there is nothing left to cancel
  return std::make_shared<RunningCall>(run);
}

mcp::Reply Dispatcher::answer(const mcp::Call& call, serve::ClientChannel& channel) const {
  switch (call.method) {
    case Method::tools_list:
    case Method::resources_list:
    case Method::resources_templates_list:
    case Method::prompts_list: return list(call, channel);
    case Method::resources_subscribe:
    case Method::resources_unsubscribe: return mcp::empty_result();
    default: return mcp::method_not_found(call.method_name);
  }
}

std::shared_ptr<serve::OpenCall> Dispatcher::answer_on_worker(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  const mcp::CallKey key = call.key;
  CallFacts facts;
  std::array<std::uint8_t, 6> random{};
  host().fill_random(random);
  facts.request_id = contract::make_request_id(random);
  facts.tool = subject_of(call);
  facts.principal = channel->state().principal;
  facts.caller = call.caller;
  if (call.caller && !call.caller->client_name().empty()) {
    facts.client = call.caller->client_name();
    facts.client_version = call.caller->client_version();
  }
  facts.traceparent = call.traceparent;
  facts.tracestate = call.tracestate;
  facts.inputs = call.inputs;
  facts.tier = settings().tier;
  facts.cursor_key = &services_.key;
  facts.clock = [this] { return host().clock(); };
  facts.is_enabled = [this, client = facts.client](std::string_view flag) {
    return settings().flags.is_enabled(flag, client, tools::seconds_of(host()));
  };
  if (call.inputs.state) {
    Result<json::Value> state =
        tools::open_state(*call.inputs.state, facts.tool, facts.principal, services_);
    if (!state) {
      channel->reply(key, mcp::invalid_params("Invalid params: " + state.error().message));
      return nullptr;
    }
    facts.state = std::move(*state);
  }
  auto cancellation = std::make_shared<serve::Cancellation>();
  auto context = std::make_shared<Context>(std::move(facts), cancellation,
                                           std::make_shared<CallOutbox>(*this, key, channel, true));
  ++running_;
  const auto reply = [this, key, weak = std::weak_ptr(channel)](mcp::Reply sent) {
    --running_;
    if (const auto open = weak.lock()) open->reply(key, std::move(sent));
  };
  const mcp::RpcError busy{mcp::code::internal_error, "The server is busy", std::nullopt};
  const std::string principal = context->principal();
  const bool entered = offers_lane_->enter(
      principal, [this, call = std::make_shared<mcp::Call>(std::move(call)), context, reply, busy] {
        auto work = [this, call, context,
                     slot = Slot(thread_, offers_lane_, context->principal())] {
          return run_handler(*call, *context);
        };
        if (!serve::on_worker(host(), std::move(work), reply)) reply(busy);
      });
  if (entered) return cancellation;
  reply(busy);
  return nullptr;
}

// Exceptions of the author's code end here. They are logged under the request id, which is all that
// the client gets to know.
mcp::Reply Dispatcher::run_handler(const mcp::Call& call, Context& context) const {
  std::string note = "something that is no std::exception";
  try {
    switch (call.method) {
      case Method::prompts_get: return get_prompt(call, context);
      case Method::complete: return complete(call);
      default: return read_resource(call, context);
    }
  } catch (const std::exception& thrown) {
    note = thrown.what();
  } catch (...) {
  }
  settings().log({.level = serve::LogLine::Level::error,
                  .event = "handler_threw",
                  .request_id = context.request_id(),
                  .tool = subject_of(call),
                  .note = std::move(note)});
  return mcp::RpcError{mcp::code::internal_error,
                       fmt::format("The request failed ({})", context.request_id()), std::nullopt};
}

mcp::Reply Dispatcher::list_tools(const mcp::Call& call, serve::ClientChannel& channel) const {
  const tools::ClientTerms client = tools::terms_of_client(call, channel.state(), services_);
  const bool structured =
      tools::channels_for(server_.settings(), *client.profile) != answer::Channels::text;
  std::vector<mcp::Tool> listed;
  for (const HandledTool& tool : catalog_.tools()) {
    listed.push_back(tools::as_mcp(tool.offered, client.contract, structured));
  }
  for (const tools::OfferedTool& tool : local_->all()) {
    listed.push_back(tools::as_mcp(tool, client.contract, structured));
  }
  return mcp::complete(
      mcp::write_tools(listed, call.caller ? call.caller->era : mcp::Era::sessions));
}

mcp::Reply Dispatcher::list(const mcp::Call& call, serve::ClientChannel& channel) const {
  // Everything is on one page, so there is no cursor that could be right.
  if (std::get_if<mcp::ListRequest>(&call.params)->cursor) {
    return mcp::invalid_params("Invalid params: expected no cursor, for there is one page");
  }
  switch (call.method) {
    case Method::tools_list: return list_tools(call, channel);
    case Method::resources_list: return mcp::complete(list_resources(server_));
    case Method::resources_templates_list: return mcp::complete(list_templates(server_));
    default: return mcp::complete(list_prompts(server_));
  }
}

mcp::Reply Dispatcher::read_resource(const mcp::Call& call, Context& context) const {
  const std::string& uri = std::get_if<mcp::ResourceRead>(&call.params)->uri;
  const mcp::Era era = call.caller ? call.caller->era : mcp::Era::sessions;
  const auto read = [&](const ResourceSpec& spec, const Texts& variables) -> mcp::Reply {
    Answer<ResourceContent> content = spec.read(uri, variables, context);
    if (Trouble* trouble = content.trouble())
      return reply_to_trouble(*trouble, uri, context, services_, era, uri);
    ResourceContent shown = *content.response();
    if (shown.mime_type.empty()) shown.mime_type = spec.mime_type;
    mcp::CompleteResult result = mcp::complete(write_content(uri, shown));
    result.cache = spec.cache ? spec.cache : mcp::CacheHint{};
    return result;
  };
  for (const ResourceSpec& spec : server_.resources()) {
    if (spec.uri == uri) return read(spec, {});
  }
  for (const Server::Template& one : server_.templates()) {
    const auto variables = one.uri.match(uri);
    if (variables) return read(one.spec, Texts(variables->begin(), variables->end()));
  }
  return mcp::resource_not_found(era, uri);
}

mcp::Reply Dispatcher::get_prompt(const mcp::Call& call, Context& context) const {
  const auto& asked = *std::get_if<mcp::PromptGet>(&call.params);
  const auto& prompts = server_.prompts();
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
    return reply_to_trouble(*trouble, asked.name, context, services_, mcp::Era::sessions, {});
  }
  return mcp::complete(write_prompt(*prompt.response()));
}

mcp::Reply Dispatcher::complete(const mcp::Call& call) const {
  const auto& asked = *std::get_if<mcp::CompletionRequest>(&call.params);
  mcp::CompletionValues out;
  const auto fill = [&](const Complete& complete) {
    if (complete) out.values = complete(asked.value);
    out.total = static_cast<std::int64_t>(out.values.size());
  };
  if (asked.target == mcp::CompletionRequest::Target::prompt) {
    for (const PromptSpec& spec : server_.prompts()) {
      if (spec.name != asked.reference) continue;
      for (const PromptArgumentSpec& argument : spec.arguments) {
        if (argument.name == asked.argument) fill(argument.complete);
      }
      return mcp::complete(out);
    }
    return mcp::invalid_params("Unknown prompt: " + json::quote(asked.reference));
  }
  for (const Server::Template& one : server_.templates()) {
    if (one.spec.uri != asked.reference) continue;
    const auto found = one.spec.complete.find(asked.argument);
    if (found != one.spec.complete.end()) fill(found->second);
    return mcp::complete(out);
  }
  return mcp::invalid_params("Unknown resource template: " + json::quote(asked.reference));
}

}  // namespace enfold::server

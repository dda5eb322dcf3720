// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/forwarded_call.h"

#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/observe/trace.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/redact/redact.h"

#include <fmt/format.h>

namespace enfold::gateway {

namespace {

using mcp::Method;

// The params that the upstream receives. `name`: of the tool, prompt or resource at the upstream;
// empty: unchanged. Answers of a client with a session to the upstream's questions are added.
json::Value params_for(const mcp::Call& call, const std::string& name) {
  const json::Value& params = call.raw_params;
  const bool adds_inputs =
      call.inputs.any() && call.caller && call.caller->era == mcp::Era::sessions;
  const auto* completion = std::get_if<mcp::CompletionRequest>(&call.params);
  const bool has_name = call.method == Method::tools_call || call.method == Method::prompts_get;
  const auto sent_name = params->find("name");
  const bool renames = has_name && !name.empty() && !(sent_name && sent_name->equals(name));
  const bool renames_reference = !name.empty() && completion != nullptr &&
                                 completion->target == mcp::CompletionRequest::Target::prompt;
  const auto sent_uri = has_name ? std::nullopt : resource_of(call);
  const bool renames_resource =
      sent_uri && completion == nullptr && !name.empty() && *sent_uri != name;
  if (!adds_inputs && !renames && !renames_reference && !renames_resource) return params;
  json::Writer writer;
  writer.begin_object();
  mcp::Overlay overlay;
  if (renames) overlay.member("name", [&](json::Writer& out) { out.string(name); });
  if (renames_resource) overlay.member("uri", [&](json::Writer& out) { out.string(name); });
  if (renames_reference) {
    overlay.member("ref", [&](json::Writer& out) {
      mcp::Overlay()
          .member("name", [&](json::Writer& inner) { inner.string(name); })
          .write(out, *params->find("ref"));
    });
  }
  if (adds_inputs) overlay.without("inputResponses").without("requestState");
  overlay.write_members(writer, params.view());
  if (adds_inputs) mcp::write_input_responses(writer, call.inputs);
  writer.end_object();
  return std::move(writer).finish_value();
}

// A list of tools is forwarded only to clients of the contract `none`, as the upstream sent it:
// otherwise the names in it could not be called.
bool lists_definitions(Method method) {
  return method == Method::prompts_list || method == Method::resources_list ||
         method == Method::resources_templates_list;
}

// For arguments of a prompt that contain the marker of a redacted secret, as those of a tool.
std::optional<mcp::RpcError> marker_refusal(const mcp::Call& call, const Settings& settings) {
  const auto* const prompt = std::get_if<mcp::PromptGet>(&call.params);
  if (prompt == nullptr || !settings.answers.redaction) return std::nullopt;
  const auto marker = redact::find_marker(prompt->arguments.view());
  if (!marker) return std::nullopt;
  return mcp::invalid_params(
      fmt::format("Invalid params: {}: expected a value, found the marker of a secret that was "
                  "taken out ({}); leave it out, or ask the user for its value",
                  marker->pointer, redact::marker(marker->label)));
}

bool is_stateless(const UpstreamConnection& connection) {
  return connection.server().era == mcp::Era::stateless;
}

}  // namespace

Route route_of(const CallServices& services, const mcp::Call& call) {
  Upstream& first = services.upstreams.first();
  if (services.upstreams.is_single()) return {&first, {}};
  if (const auto* tool = std::get_if<mcp::ToolCall>(&call.params)) {
    return services.routes.tool(tool->name);
  }
  if (const auto* prompt = std::get_if<mcp::PromptGet>(&call.params)) {
    return services.routes.prompt(prompt->name);
  }
  if (const auto uri = resource_of(call)) {
    Route route = services.resources.route(*uri);
    if (route.upstream == nullptr) route.upstream = &first;
    return route;
  }
  if (const auto* completion = std::get_if<mcp::CompletionRequest>(&call.params)) {
    return services.routes.prompt(completion->reference);
  }
  return {&first, {}};
}

mcp::CallOptions request_with(const CallServices& services, const ClientCall& call,
                              const UpstreamConnection& connection, const json::Value& params) {
  const mcp::Call& from = call.call();
  TracedRequest traced = may_have_trace(from)
                             ? forward_trace(from, params, services.environment.host)
                             : TracedRequest{params, {}};
  mcp::CallOptions options = connection.prepare(from.method_name, traced.params);
  options.headers = std::move(traced.headers);
  options.wants_progress = from.progress_token.has_value();
  options.on_behalf_of = from.caller;
  options.relay_input_required = true;
  options.log_level = from.log_level;
  if (call.is_from_session()) {
    // A session gets log messages of level info and above unless it has set another level.
    const ClientSession* const session = services.sessions.find(call.channel().get());
    const auto level = session != nullptr ? session->log_level : std::nullopt;
    options.log_level = level.value_or(mcp::LogLevel::info);
  }
  return options;
}

mcp::CallOptions request_for(const CallServices& services, const ClientCall& call,
                             const UpstreamConnection& connection, const std::string& name) {
  return request_with(services, call, connection, params_for(call.call(), name));
}

std::shared_ptr<serve::OpenCall> ForwardedCall::begin(
    const CallServices& services, const mcp::Call& call,
    const std::shared_ptr<serve::ClientChannel>& channel) {
  const Route route = route_of(services, call);
  if (route.upstream == nullptr) {
    channel->reply(call.key, mcp::invalid_params("Unknown name: no upstream has it"));
    return nullptr;
  }
  if (auto refusal = marker_refusal(call, services.environment.settings)) {
    channel->reply(call.key, *std::move(refusal));
    return nullptr;
  }
  auto self = std::make_shared<ForwardedCall>(services, call, channel);
  const auto connection = services.connections.for_call(*channel, call, *route.upstream);
  self->send(connection, request_for(services, *self, *connection, route.name));
  return self;
}

void ForwardedCall::on_result(client::CallResult result) {
  if (result) {
    *result = services_.elicitations.sign_state(*this, std::move(*result));
    if (lists_definitions(call().method)) {
      *result = services_.lists.without_hidden(connection()->settings().name, std::move(*result));
    }
  }
  reply(as_reply(std::move(result)));
}

std::shared_ptr<serve::OpenCall> SubscribeCall::begin(
    const CallServices& services, const mcp::Call& call,
    const std::shared_ptr<serve::ClientChannel>& channel) {
  auto self = std::make_shared<SubscribeCall>(services, call, channel);
  self->start(*channel);
  return self;
}

void SubscribeCall::start(serve::ClientChannel& channel) {
  // If no upstream is known to have the resource, no request is sent: only the subscription that
  // Enfold keeps for the client ends.
  if (call().method == Method::resources_unsubscribe &&
      services_.resources.must_ask_all_upstreams(call())) {
    change_listens(channel, services_.connections.of(services_.sessions.of(channel)));
    return;
  }
  const Route route = route_of(services_, call());
  const std::shared_ptr<UpstreamConnection> connection =
      services_.connections.for_call(channel, call(), *route.upstream);
  if (connection->is_ready() && is_stateless(*connection)) {
    change_listens(channel, {connection});
    return;
  }
  send(connection, request_for(services_, *this, *connection, route.name));
}

void SubscribeCall::on_ready() {
  const std::shared_ptr<serve::ClientChannel> channel = this->channel();
  if (is_ended() || !channel || !is_stateless(*connection())) return;
  cancel_request("the server is stateless");
  change_listens(*channel, {connection()});
}

void SubscribeCall::change_listens(
    serve::ClientChannel& channel,
    const std::vector<std::shared_ptr<UpstreamConnection>>& connections) {
  record_subscription(channel);
  for (const auto& one : connections) services_.subscriptions.update(one);
  reply(mcp::empty_result());
}

void SubscribeCall::record_subscription(serve::ClientChannel& channel) {
  const std::string& uri = std::get_if<mcp::ResourceSubscription>(&call().params)->uri;
  std::vector<std::string>& subscribed = services_.sessions.of(channel).subscribed;
  std::erase(subscribed, uri);
  if (call().method == Method::resources_subscribe) subscribed.push_back(uri);
}

void SubscribeCall::on_result(client::CallResult result) {
  const std::shared_ptr<serve::ClientChannel> channel = this->channel();
  if (result && channel) record_subscription(*channel);
  reply(as_reply(std::move(result)));
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Who may call, and how often.
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/gateway/call/handles.h"
#include "enfold/gateway/gateway.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/serve/on_worker.h"

namespace enfold::gateway {
namespace {

// What a question was about: its answer is good for nothing else.
std::string subject_of(const mcp::Call& call) {
  if (const auto* tool = std::get_if<mcp::ToolCall>(&call.params)) return tool->name;
  if (const auto* prompt = std::get_if<mcp::PromptGet>(&call.params)) return prompt->name;
  if (const auto* read = std::get_if<mcp::ResourceRead>(&call.params)) return read->uri;
  return call.method_name;
}

json::Value with_state(const json::Value& object, const json::Value& state) {
  json::Writer writer;
  mcp::Overlay()
      .member("requestState", [&](json::Writer& out) { out.value(state); })
      .write(writer, object.view());
  return std::move(writer).finish_value();
}

}  // namespace

// Every key is compared, whoever it belongs to: how long it takes says nothing about any of them.
std::optional<std::string> Gateway::identify(std::optional<std::string_view> key) const {
  if (settings_.principals.empty()) return settings_.answers.principal;
  if (!key) return std::nullopt;
  const std::string hash = to_hex(sha256(*key));
  const Principal* found = nullptr;
  for (const Principal& one : settings_.principals) {
    if (equal_in_constant_time(one.key_sha256, hash)) found = &one;
  }
  return found != nullptr ? std::optional(found->name) : std::nullopt;
}

json::Value Gateway::sealed(const Relay& relay, json::Value result) {
  const auto state = result->find("requestState");
  const std::shared_ptr<serve::Port> port = relay.port();
  const bool asks = mcp::result_type(result.view()) == mcp::ResultType::input_required;
  if (settings_.principals.empty() || !asks || !state || !port) return result;
  const std::string text = tools::seal_state(json::Value(*state), subject_of(relay.call()),
                                             port->memory().principal, own_->services);
  return with_state(result, json::string_value(text));
}

// A question of a server with sessions stands in `parked_`: what is not there was answered, given
// up or never asked. Without a login the state of other servers is theirs to judge.
tl::expected<mcp::Call, mcp::RpcError> Gateway::unsealed(const mcp::Call& call,
                                                         serve::Port& port) const {
  if (!call.inputs.state) return call;
  const Route route = route_of_call(call);
  const bool sessions = route.upstream != nullptr && route.upstream->identity &&
                        route.upstream->identity->era == mcp::Era::sessions;
  if (!sessions && settings_.principals.empty()) return call;
  const Result<json::Value> state = tools::open_state(*call.inputs.state, subject_of(call),
                                                      port.memory().principal, own_->services);
  if (sessions || !state || !(*state)->is_string()) {
    return tl::unexpected(mcp::invalid_params(
        "Invalid params: expected requestState as this server gave it; call again without it"));
  }
  mcp::Call opened = call;
  opened.inputs.state = (*state)->string();
  if (opened.raw_params->find("requestState")) {
    opened.raw_params = with_state(opened.raw_params, *state);
  }
  return opened;
}

// Counters that others share may be far away: a worker waits for them.
void Gateway::admit(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                    const std::shared_ptr<serve::Cancellation>& cancellation,
                    const std::shared_ptr<ToolAnswering>& about) {
  if (!tools::waits_for_counters(about->plan, *about->services)) {
    tools::admit(about->plan, *about->tool, *about->services);
    admitted(call, port, cancellation, about);
    return;
  }
  const bool taken = serve::on_worker_for(
      host_, port, [about] { tools::admit(about->plan, *about->tool, *about->services); },
      [this, call, cancellation, about](const std::shared_ptr<serve::Port>& open) {
        if (!cancellation->is_cancelled()) admitted(call, open, cancellation, about);
      });
  if (!taken) refuse_for_load(call, *port, *about);
}

void Gateway::refuse_for_load(const mcp::Call& call, serve::Port& port,
                              const ToolAnswering& about) {
  tools::ToolReply refused = too_busy(about);
  note_call(about, refused);
  port.reply(call.key, std::move(refused.reply));
}

void Gateway::admitted(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                       const std::shared_ptr<serve::Cancellation>& cancellation,
                       const std::shared_ptr<ToolAnswering>& about) {
  if (!about->plan.refusal && settings_.handles_as_arguments &&
      has_handles(about->plan.arguments.view())) {
    fill_in(call, port, cancellation, about);
    return;
  }
  if (!about->plan.refusal) {
    send_tool_call(call, port, about);
    return;
  }
  tools::ToolReply refused = answer_failure(std::move(*about->plan.refusal), *about);
  note_call(*about, refused);
  port->reply(call.key, std::move(refused.reply));
}

}  // namespace enfold::gateway

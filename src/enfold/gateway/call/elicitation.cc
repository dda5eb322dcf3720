// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/elicitation.h"

#include "enfold/base/text.h"
#include "enfold/mcp/types/overlay.h"

namespace enfold::gateway {
namespace {

// Maximum time between the question and the client's next call.
constexpr std::chrono::minutes kAnswerTimeout{10};
// Maximum for one principal. Each parked call keeps a connection, and to a stdio upstream a
// process.
constexpr std::size_t kMostParked = 64;

// Identifies the call that a question belongs to: the answer is valid for no other call.
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

// Over stdio a server does not say which call a question belongs to. All calls of a connection are
// of one client, so the latest open one is used.
void Elicitations::on_ask(UpstreamConnection& connection, const mcp::ServerRequest& asked) {
  const std::shared_ptr<ClientCall> call = calls_.last_on(connection);
  const std::shared_ptr<serve::ClientChannel> channel = call ? call->channel() : nullptr;
  if (channel && !call->is_from_session()) {
    ask_by_result(*call, asked);
    return;
  }
  if (channel) {
    ask_session(connection, asked, *channel, call->call().key);
    return;
  }
  for (const ClientSession* session : connections_.sessions_on(connection)) {
    if (!session->has_session) continue;
    ask_session(connection, asked, session->channel, std::nullopt);
    return;
  }
  connection.answer(asked.key, tl::unexpected(mcp::method_not_found(asked.request.method)));
}

void Elicitations::ask_session(UpstreamConnection& connection, const mcp::ServerRequest& asked,
                               serve::ClientChannel& channel, std::optional<mcp::CallKey> about) {
  const Result<mcp::ServerRequestKey> key = channel.request_input(about, asked.request);
  if (!key) {
    connection.answer(asked.key, tl::unexpected(mcp::to_rpc_error(key.error())));
    return;
  }
  questions_.push_back({&channel, connection.weak_from_this(), asked.key, *key});
}

void Elicitations::ask_by_result(ClientCall& call, const mcp::ServerRequest& asked) {
  const auto refuse = [&](mcp::RpcError error) {
    call.connection()->answer(asked.key, tl::unexpected(std::move(error)));
  };
  const bool may =
      mcp::info(call.call().method).may_require_input &&
      mcp::missing_capabilities(asked.request, call.call().caller->capabilities)->is_null();
  if (!may) {
    refuse(mcp::method_not_found(asked.request.method));
    return;
  }
  const std::shared_ptr<serve::ClientChannel> channel = call.channel();
  std::string principal =
      channel ? channel->state().principal : environment_.settings.answers.principal;
  if (parked_of_[principal] >= kMostParked) {
    refuse({mcp::code::internal_error, "Too many questions wait for an answer", {}});
    return;
  }
  std::array<std::uint8_t, 16> random{};
  environment_.host.fill_random(random);
  const std::string state = to_hex(random);
  const std::shared_ptr<ClientCall> kept = call.shared_from_this();
  ++parked_of_[principal];
  parked_[state] = {std::move(principal), kept,
                    environment_.host.after(kAnswerTimeout,
                                            alive_.guarded([this, state] { on_timeout(state); }))};
  kept->park(asked.key, asked.request, state);
}

std::shared_ptr<serve::OpenCall> Elicitations::resume(
    const mcp::Call& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  const auto found = parked_.find(*call.inputs.state);
  if (found == parked_.end() || found->second.principal != channel->state().principal) {
    return nullptr;
  }
  const std::shared_ptr<ClientCall> parked = std::move(found->second.call);
  if (--parked_of_[found->second.principal] == 0) parked_of_.erase(found->second.principal);
  parked_.erase(found);
  parked->resume(call, channel);
  return parked;
}

void Elicitations::on_timeout(const std::string& state) {
  const auto found = parked_.find(state);
  if (found == parked_.end()) return;
  const std::shared_ptr<ClientCall> call = found->second.call;
  if (--parked_of_[found->second.principal] == 0) parked_of_.erase(found->second.principal);
  // The alarm is calling this function, so it is destroyed later, when it has returned.
  environment_.host.post([alarm = std::move(found->second.timeout)] {});
  parked_.erase(found);
  call->abandon("the client did not come back with an answer");
}

void Elicitations::answered(serve::ClientChannel& channel, mcp::ServerRequestKey ask,
                            const mcp::ResultOrError& outcome) {
  const auto found = std::ranges::find_if(questions_, [&](const Question& one) {
    return one.channel == &channel && one.downstream == ask;
  });
  if (found == questions_.end()) return;
  const Question question = std::move(*found);
  questions_.erase(found);
  if (const auto connection = question.connection.lock())
    connection->answer(question.upstream, outcome);
}

void Elicitations::on_ask_withdrawn(UpstreamConnection& connection, mcp::ServerRequestKey ask) {
  const auto found = std::ranges::find_if(questions_, [&](const Question& one) {
    return one.upstream == ask && one.connection.lock().get() == &connection;
  });
  if (found == questions_.end()) return;
  const Question question = std::move(*found);
  questions_.erase(found);
  question.channel->withdraw(question.downstream, "the server took it back");
}

void Elicitations::gone(serve::ClientChannel& channel) {
  std::erase_if(questions_, [&](const Question& one) {
    if (one.channel != &channel) return false;
    if (const auto connection = one.connection.lock()) {
      connection->answer(one.upstream, tl::unexpected(mcp::RpcError{
                                           mcp::code::internal_error, "The client has gone", {}}));
    }
    return true;
  });
}

json::Value Elicitations::seal(const ClientCall& call, json::Value result) const {
  const auto state = result->find("requestState");
  const std::shared_ptr<serve::ClientChannel> channel = call.channel();
  const bool asks = mcp::result_type(result.view()) == mcp::ResultType::input_required;
  if (environment_.settings.principals.empty() || !asks || !state || !channel) return result;
  const std::string text = tools::seal_state(json::Value(*state), subject_of(call.call()),
                                             channel->state().principal, *local_.services());
  return with_state(result, json::string_value(text));
}

// Questions of servers with sessions are parked: a state that is not found was answered, timed out
// or never issued. Without principals, other servers check their states themselves.
tl::expected<mcp::Call, mcp::RpcError> Elicitations::unseal(const mcp::Call& call,
                                                            serve::ClientChannel& channel,
                                                            const Upstream* upstream) const {
  const bool sessions =
      upstream != nullptr && upstream->identity && upstream->identity->era == mcp::Era::sessions;
  if (!sessions && environment_.settings.principals.empty()) return call;
  const Result<json::Value> state = tools::open_state(
      *call.inputs.state, subject_of(call), channel.state().principal, *local_.services());
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

}  // namespace enfold::gateway

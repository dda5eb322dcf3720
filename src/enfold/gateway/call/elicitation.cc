// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/elicitation.h"

#include "enfold/base/text.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

// Maximum time between the question and the client's call with the answer; after it the parked call
// ends, and its request to the upstream is cancelled.
constexpr std::chrono::minutes kAnswerTimeout{10};
// Parked calls of one principal. Each keeps a connection open, to a stdio upstream also a process.
constexpr std::size_t kMaxParked = 64;
// Waiting questions of one connection.
constexpr std::ptrdiff_t kMaxWaiting = 8;
// A question that comes while a request is open whose result cannot carry it (a list) waits only
// this long: the server may not answer that request before it has the answer to its question.
constexpr std::chrono::seconds kWaitDuringRequest{5};

// What the client called. A signed state is valid only for the same tool, prompt or resource.
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

Elicitations::Elicitations(const Environment& environment, Connections& connections,
                           OpenCalls& calls, LocalTools& local)
    : environment_(environment), connections_(connections), calls_(calls), local_(local) {
  // Deferred, so that the request of the new call is sent before the questions are asked.
  calls_.set_on_begin([this](UpstreamConnection& connection) {
    if (waiting_.empty()) return;
    environment_.loop.defer(alive_.guarded([this, weak = connection.weak_from_this()] {
      if (const auto open = weak.lock()) ask_waiting(*open);
    }));
  });
}

void Elicitations::on_question(UpstreamConnection& connection, const mcp::ServerRequest& question) {
  if (ask(connection, question)) return;
  const std::shared_ptr<const mcp::Caller>& client = connection.on_behalf_of();
  const bool may_be_asked =
      client && mcp::missing_capabilities(question.request, client->capabilities)->is_null();
  const std::ptrdiff_t waiting = std::ranges::count_if(waiting_, [&](const WaitingQuestion& one) {
    return one.connection.lock().get() == &connection;
  });
  if (may_be_asked && waiting < kMaxWaiting) {
    wait(connection, question);
  } else {
    connection.answer(question.key, tl::unexpected(mcp::method_not_found(question.request.method)));
  }
}

// Over stdio a server does not say which call a question belongs to. All calls of a connection are
// of one client, so the latest open one is used.
bool Elicitations::ask(UpstreamConnection& connection, const mcp::ServerRequest& question) {
  const std::shared_ptr<ClientCall> call = calls_.last_on(connection);
  const std::shared_ptr<serve::ClientChannel> channel = call ? call->channel() : nullptr;
  if (channel && !call->is_from_session()) {
    // The result of a list cannot carry a question; the question waits for another call.
    if (!mcp::info(call->call().method).may_require_input) return false;
    ask_by_result(*call, question);
    return true;
  }
  if (channel) {
    ask_session(connection, question, *channel, call->call().key);
    return true;
  }
  // No call is open: the first client with a session is asked.
  for (const ClientSession* session : connections_.sessions_on(connection)) {
    if (!session->has_session) continue;
    ask_session(connection, question, session->channel, /*about=*/std::nullopt);
    return true;
  }
  return false;
}

void Elicitations::wait(UpstreamConnection& connection, const mcp::ServerRequest& question) {
  const bool came_during_request = calls_.any_on(connection);
  const std::chrono::seconds time =
      came_during_request ? kWaitDuringRequest : std::chrono::seconds(kAnswerTimeout);
  waiting_.push_back(
      {connection.weak_from_this(), question,
       environment_.host.after(time, alive_.guarded([this, key = question.key, from = &connection] {
         on_wait_timeout(key, from);
       })),
       came_during_request});
}

void Elicitations::ask_waiting(UpstreamConnection& connection) {
  std::vector<WaitingQuestion> mine;
  const auto is_mine = [&](const WaitingQuestion& one) {
    return one.connection.lock().get() == &connection;
  };
  for (WaitingQuestion& one : waiting_) {
    if (is_mine(one)) mine.push_back(std::move(one));
  }
  std::erase_if(waiting_, [](const WaitingQuestion& one) { return one.connection.expired(); });
  for (WaitingQuestion& one : mine) {
    if (!ask(connection, one.question)) waiting_.push_back(std::move(one));
  }
}

void Elicitations::on_wait_timeout(mcp::ServerRequestKey key,
                                   const UpstreamConnection* connection) {
  const auto found = std::ranges::find_if(waiting_, [&](const WaitingQuestion& one) {
    return one.question.key == key && one.connection.lock().get() == connection;
  });
  if (found == waiting_.end()) return;
  WaitingQuestion late = std::move(*found);
  waiting_.erase(found);
  // The alarm is calling this function, so it is destroyed later, when it has returned.
  environment_.host.post([alarm = std::move(late.timeout)] {});
  const auto open = late.connection.lock();
  if (!open) return;
  if (late.came_during_request && !calls_.any_on(*open)) {
    wait(*open, late.question);
    return;
  }
  open->answer(key, tl::unexpected(mcp::RpcError{
                        mcp::code::internal_error, "The client could not be asked in time", {}}));
}

void Elicitations::ask_session(UpstreamConnection& connection, const mcp::ServerRequest& question,
                               serve::ClientChannel& channel, std::optional<mcp::CallKey> about) {
  const Result<mcp::ServerRequestKey> key = channel.request_input(about, question.request);
  if (!key) {
    connection.answer(question.key, tl::unexpected(mcp::to_rpc_error(key.error())));
    return;
  }
  questions_.push_back({&channel, connection.weak_from_this(), question.key, *key});
}

void Elicitations::ask_by_result(ClientCall& call, const mcp::ServerRequest& question) {
  const auto refuse = [&](mcp::RpcError error) {
    call.connection()->answer(question.key, tl::unexpected(std::move(error)));
  };
  const bool may_ask =
      mcp::missing_capabilities(question.request, call.call().caller->capabilities)->is_null();
  if (!may_ask) {
    refuse(mcp::method_not_found(question.request.method));
    return;
  }
  const std::shared_ptr<serve::ClientChannel> channel = call.channel();
  std::string principal =
      channel ? channel->state().principal : environment_.settings.answers.principal;
  if (parked_count_[principal] >= kMaxParked) {
    refuse({mcp::code::internal_error, "Too many questions wait for an answer", {}});
    return;
  }
  std::array<std::uint8_t, 16> random{};
  environment_.host.fill_random(random);
  const std::string state = to_hex(random);
  const std::shared_ptr<ClientCall> kept = call.shared_from_this();
  ++parked_count_[principal];
  parked_[state] = {std::move(principal), kept,
                    environment_.host.after(kAnswerTimeout,
                                            alive_.guarded([this, state] { on_timeout(state); }))};
  kept->park(question.key, question.request, state);
}

std::shared_ptr<serve::OpenCall> Elicitations::resume(
    const mcp::Call& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  const auto found = parked_.find(*call.inputs.state);
  if (found == parked_.end() || found->second.principal != channel->state().principal) {
    return nullptr;
  }
  const std::shared_ptr<ClientCall> parked = std::move(found->second.call);
  if (--parked_count_[found->second.principal] == 0) parked_count_.erase(found->second.principal);
  parked_.erase(found);
  parked->resume(call, channel);
  // While the call was parked, the server may have asked more questions, which wait.
  environment_.loop.defer(alive_.guarded([this, weak = std::weak_ptr(parked->connection())] {
    if (const auto open = weak.lock()) ask_waiting(*open);
  }));
  return parked;
}

void Elicitations::on_timeout(const std::string& state) {
  const auto found = parked_.find(state);
  if (found == parked_.end()) return;
  const std::shared_ptr<ClientCall> call = found->second.call;
  if (--parked_count_[found->second.principal] == 0) parked_count_.erase(found->second.principal);
  // The alarm is calling this function, so it is destroyed later, when it has returned.
  environment_.host.post([alarm = std::move(found->second.timeout)] {});
  parked_.erase(found);
  call->abandon("the client did not come back with an answer");
}

void Elicitations::on_answer(serve::ClientChannel& channel, mcp::ServerRequestKey key,
                             const mcp::ResultOrError& outcome) {
  const auto found = std::ranges::find_if(questions_, [&](const Question& one) {
    return one.channel == &channel && one.downstream == key;
  });
  if (found == questions_.end()) return;
  const Question question = std::move(*found);
  questions_.erase(found);
  if (const auto connection = question.connection.lock())
    connection->answer(question.upstream, outcome);
}

void Elicitations::on_withdrawn(UpstreamConnection& connection, mcp::ServerRequestKey key) {
  std::erase_if(waiting_, [&](const WaitingQuestion& one) {
    return one.question.key == key && one.connection.lock().get() == &connection;
  });
  const auto found = std::ranges::find_if(questions_, [&](const Question& one) {
    return one.upstream == key && one.connection.lock().get() == &connection;
  });
  if (found == questions_.end()) return;
  const Question question = std::move(*found);
  questions_.erase(found);
  question.channel->withdraw(question.downstream, "the server took it back");
}

void Elicitations::on_closed(serve::ClientChannel& channel) {
  std::erase_if(questions_, [&](const Question& one) {
    if (one.channel != &channel) return false;
    if (const auto connection = one.connection.lock()) {
      connection->answer(one.upstream, tl::unexpected(mcp::RpcError{
                                           mcp::code::internal_error, "The client has gone", {}}));
    }
    return true;
  });
}

json::Value Elicitations::sign_state(const ClientCall& call, json::Value result) const {
  const auto state = result->find("requestState");
  const std::shared_ptr<serve::ClientChannel> channel = call.channel();
  const bool requires_input = mcp::result_type(result.view()) == mcp::ResultType::input_required;
  if (environment_.settings.principals.empty() || !requires_input || !state || !channel)
    return result;
  const std::string text = tools::seal_state(json::Value(*state), subject_of(call.call()),
                                             channel->state().principal, *local_.services());
  return with_state(result, json::string_value(text));
}

// States of an upstream of the session era belong to parked calls. `resume` has not found this one:
// its question was answered or has timed out, or Enfold never issued it. So the call is refused.
// Without principals Enfold does not check the states of stateless upstreams, which do so
// themselves.
tl::expected<mcp::Call, mcp::RpcError> Elicitations::restore_state(const mcp::Call& call,
                                                                   serve::ClientChannel& channel,
                                                                   const Upstream* upstream) const {
  const bool has_sessions =
      upstream != nullptr && upstream->identity && upstream->identity->era == mcp::Era::sessions;
  if (!has_sessions && environment_.settings.principals.empty()) return call;
  const Result<json::Value> state = tools::open_state(
      *call.inputs.state, subject_of(call), channel.state().principal, *local_.services());
  if (has_sessions || !state || !(*state)->is_string()) {
    return tl::unexpected(mcp::invalid_params(
        "Invalid params: expected requestState as this server gave it; call again without it"));
  }
  mcp::Call restored = call;
  restored.inputs.state = (*state)->string();
  if (restored.raw_params->find("requestState")) {
    restored.raw_params = with_state(restored.raw_params, *state);
  }
  return restored;
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/client_call.h"

#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/protocol.h"

namespace enfold::gateway {

mcp::Reply as_reply(client::CallResult result) {
  if (result) return mcp::UpstreamResult{std::move(*result)};
  client::CallFailure& failure = result.error();
  if (failure.refusal) return std::move(*failure.refusal);
  failure.error.hint.clear();  // the hint is for the operator and may contain addresses
  return mcp::to_rpc_error(failure.error);
}

void ClientCall::use(std::shared_ptr<UpstreamConnection> connection) {
  const std::shared_ptr<ClientCall> self = shared_from_this();
  if (connection_) open_calls_.remove(*connection_, place_);
  connection_ = std::move(connection);
  place_ = open_calls_.add(*connection_, self);
}

void ClientCall::send(mcp::CallOptions options) {
  client::CallEvents events;
  events.done = [weak = weak_from_this()](client::CallResult result) {
    const std::shared_ptr<ClientCall> self = weak.lock();
    if (!self || self->is_ended()) return;
    self->request_.reset();
    self->on_result(std::move(result));
  };
  if (options.wants_progress) {
    events.on_progress = [weak = weak_from_this()](const mcp::ProgressReport& progressed) {
      const std::shared_ptr<ClientCall> self = weak.lock();
      if (!self || !self->call_.progress_token) return;
      json::Writer writer;
      mcp::Overlay()
          .member(mcp::meta::progress_token,
                  [&](json::Writer& out) { mcp::write_id(out, *self->call_.progress_token); })
          .write(writer, progressed.params.view());
      self->notify(mcp::name(mcp::Method::progress), std::move(writer).finish_value().view());
    };
  }
  request_ = connection_->request(std::move(options), std::move(events));
}

void ClientCall::notify(std::string_view method, json::View params) {
  if (is_ended() || is_parked()) return;
  if (const std::shared_ptr<serve::ClientChannel> channel = channel_.lock()) {
    channel->notify(call_.key, method, params);
  }
}

void ClientCall::reply(mcp::Reply reply) {
  if (is_ended()) return;
  if (auto* const relayed = std::get_if<mcp::UpstreamResult>(&reply);
      relayed && connection_ && connection_->is_ready()) {
    relayed->era = connection_->server().era;
  }
  if (is_parked()) {
    kept_ = std::move(reply);
    return;
  }
  const std::shared_ptr<ClientCall> self = shared_from_this();
  end();
  if (const std::shared_ptr<serve::ClientChannel> channel = channel_.lock()) {
    channel->reply(call_.key, std::move(reply));
  }
}

void ClientCall::abandon(std::string_view reason) {
  if (is_ended()) return;
  const std::shared_ptr<ClientCall> self = shared_from_this();
  if (const auto ticket = std::exchange(request_, std::nullopt))
    connection_->cancel(*ticket, reason);
  end();
}

void ClientCall::end() {
  is_ended_ = true;
  if (connection_) open_calls_.remove(*connection_, place_);
  open_calls_.ended();
}

void ClientCall::park(mcp::ServerRequestKey ask, const mcp::InputRequest& request,
                      const std::string& state) {
  ask_ = ask;
  question_ = request.key;
  state_ = state;
  if (const std::shared_ptr<serve::ClientChannel> channel = channel_.lock()) {
    channel->reply(call_.key, mcp::InputRequired{{request}, state, {}});
  }
}

void ClientCall::resume(mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel) {
  call_ = std::move(call);
  channel_ = channel;
  state_.clear();
  if (kept_) {
    reply(*std::exchange(kept_, std::nullopt));
    return;
  }
  const json::Value* answer = call_.inputs.find(question_);
  connection_->answer(ask_, answer != nullptr ? mcp::Outcome(*answer)
                                              : mcp::Outcome(tl::unexpected(mcp::invalid_request(
                                                    "The client came back without an answer"))));
}

OpenCalls::List::iterator OpenCalls::add(const UpstreamConnection& connection,
                                         std::shared_ptr<ClientCall> call) {
  List& list = calls_[&connection];
  ++size_;
  return list.insert(list.end(), std::move(call));
}

void OpenCalls::remove(const UpstreamConnection& connection, List::iterator place) {
  const auto found = calls_.find(&connection);
  found->second.erase(place);
  --size_;
  if (found->second.empty()) calls_.erase(found);
}

OpenCalls::List OpenCalls::on(const UpstreamConnection& connection) const {
  const auto found = calls_.find(&connection);
  return found != calls_.end() ? found->second : List{};
}

std::shared_ptr<ClientCall> OpenCalls::last_on(const UpstreamConnection& connection) const {
  const auto found = calls_.find(&connection);
  if (found == calls_.end()) return nullptr;
  const List& list = found->second;
  const auto last =
      std::find_if(list.rbegin(), list.rend(), [](const auto& one) { return !one->is_parked(); });
  return last != list.rend() ? *last : nullptr;
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/relay.h"

#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/meta.h"

namespace enfold::gateway {

mcp::Reply as_reply(client::CallResult result) {
  if (result) return mcp::Relayed{std::move(*result)};
  client::CallFailure& failure = result.error();
  if (failure.refusal) return std::move(*failure.refusal);
  // What could be done is for those who run the gateway; addresses may stand in it.
  failure.error.hint.clear();
  return mcp::to_rpc_error(failure.error);
}

void Relay::send(mcp::CallOptions options, Done done) {
  done_ = std::move(done);
  client::CallEvents events;
  events.done = [weak = weak_from_this()](client::CallResult result) {
    const std::shared_ptr<Relay> self = weak.lock();
    if (!self || self->is_ended()) return;
    self->ticket_.reset();
    const Done then = std::move(self->done_);
    then(*self, std::move(result));
  };
  if (options.wants_progress) {
    events.on_progress = [weak = weak_from_this()](const mcp::Progressed& progressed) {
      const std::shared_ptr<Relay> self = weak.lock();
      if (!self || !self->call_.progress_token) return;
      json::Writer writer;
      mcp::Overlay()
          .member(mcp::meta::progress_token,
                  [&](json::Writer& out) { mcp::write_id(out, *self->call_.progress_token); })
          .write(writer, progressed.params.view());
      self->notify(mcp::name(mcp::Method::progress), std::move(writer).finish_value().view());
    };
  }
  ticket_ = link_->request(std::move(options), std::move(events));
}

void Relay::notify(std::string_view method, json::View params) {
  if (is_ended() || is_parked()) return;
  if (const std::shared_ptr<serve::Port> port = port_.lock()) {
    port->notify(call_.key, method, params);
  }
}

void Relay::reply(mcp::Reply reply) {
  if (is_ended()) return;
  if (is_parked()) {
    kept_ = std::move(reply);
    return;
  }
  const std::shared_ptr<Relay> self = shared_from_this();
  end();
  if (const std::shared_ptr<serve::Port> port = port_.lock()) {
    port->reply(call_.key, std::move(reply));
  }
}

void Relay::cancel(std::string_view reason) {
  if (is_ended()) return;
  const std::shared_ptr<Relay> self = shared_from_this();
  if (ticket_) link_->cancel(*ticket_, reason);
  ticket_.reset();
  end();
}

void Relay::end() {
  if (const Ended ended = std::exchange(ended_, nullptr)) ended(*this);
}

void Relay::park(mcp::AskKey ask, const mcp::InputRequest& request, const std::string& state) {
  ask_ = ask;
  question_ = request.key;
  state_ = state;
  if (const std::shared_ptr<serve::Port> port = port_.lock()) {
    port->reply(call_.key, mcp::InputRequired{{request}, state, {}});
  }
}

void Relay::resume(mcp::Call call, const std::shared_ptr<serve::Port>& port) {
  call_ = std::move(call);
  port_ = port;
  state_.clear();
  if (kept_) {
    reply(*std::exchange(kept_, std::nullopt));
    return;
  }
  const json::Value* answer = call_.inputs.find(question_);
  link_->answer(ask_, answer != nullptr ? mcp::Outcome(*answer)
                                        : mcp::Outcome(tl::unexpected(mcp::invalid_request(
                                              "The client came back without an answer"))));
}

}  // namespace enfold::gateway

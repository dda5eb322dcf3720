// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/connection.h"

#include "enfold/base/text.h"

#include <algorithm>

namespace enfold::serve {

std::shared_ptr<Connection> Connection::open(Service& service, Sink& sink, std::string principal) {
  return std::shared_ptr<Connection>(new Connection(service, sink, std::move(principal)));
}

Connection::Connection(Service& service, Sink& sink, std::string principal)
    : service_(service), sink_(&sink), peer_(service.config()) {
  if (principal.empty()) principal = service.settings().principal;
  state().principal = std::move(principal);
  service_.join(*this);
}

Connection::~Connection() {
  service_.leave(*this);
  detach();
}

void Connection::receive(mcp::Message message, const std::optional<mcp::HeaderFields>& fields) {
  carry_out(peer_.receive(std::move(message), fields));
}

void Connection::receive_bytes(json::Buffer bytes, const Limits& limits) {
  carry_out(peer_.receive_bytes(std::move(bytes), limits));
}

void Connection::stream_closed(mcp::CallKey call) { carry_out(peer_.stream_closed(call)); }

void Connection::end_subscriptions() { carry_out(peer_.end_subscriptions()); }

void Connection::detach() {
  if (sink_ == nullptr) return;
  sink_ = nullptr;
  for (const auto& [key, open] : std::exchange(running_, {})) {
    if (open) open->cancel(CancelCause::client_disconnected);
  }
  alarm_.reset();
  service_.on_closed(*this);
}

void Connection::reply(mcp::CallKey call, mcp::Reply reply) {
  if (const auto found = find(call); found != running_.end()) running_.erase(found);
  carry_out(peer_.reply(call, std::move(reply), service_.host().now()));
}

void Connection::progress(mcp::CallKey call, const mcp::Progress& progress) {
  carry_out(peer_.progress(call, progress));
}

void Connection::log(mcp::CallKey call, const mcp::LogMessage& message) {
  carry_out(peer_.log(call, message));
}

void Connection::close_stream(mcp::CallKey call) {
  if (sink_ != nullptr) sink_->close_stream(call);
}

void Connection::list_changed(mcp::ListKind kind) { carry_out(peer_.list_changed(kind)); }

void Connection::resource_updated(std::string_view uri) { carry_out(peer_.resource_updated(uri)); }

void Connection::notify(std::optional<mcp::CallKey> call, std::string_view method,
                        json::View params) {
  carry_out(peer_.notify(call, method, params));
}

Result<mcp::ServerRequestKey> Connection::request_input(std::optional<mcp::CallKey> about,
                                                        const mcp::InputRequest& request) {
  Result<mcp::ServerPeer::AskResult> asked = peer_.ask(about, request, service_.host().now());
  if (!asked) return tl::unexpected(asked.error());
  carry_out(std::move(asked->actions));
  return asked->key;
}

void Connection::withdraw(mcp::ServerRequestKey request, std::string_view reason) {
  carry_out(peer_.withdraw(request, reason));
}

void Connection::carry_out(mcp::ServerActions actions) {
  // A function of the sink may release the last reference to this connection.
  const std::shared_ptr<Connection> self = weak_from_this().lock();
  for (mcp::ServerAction& action : actions) {
    if (sink_ == nullptr) return;
    perform(action);
  }
  watch_deadlines();
}

void Connection::set_headers(mcp::HeaderFields fields) {
  traceparent_.clear();
  tracestate_.clear();
  for (const mcp::HeaderField& field : fields) {
    if (!field.name.starts_with('t') && !field.name.starts_with('T')) continue;
    if (equals_ignoring_case(field.name, mcp::header::traceparent) && traceparent_.empty()) {
      traceparent_ = trimmed(field.value);
    } else if (equals_ignoring_case(field.name, mcp::header::tracestate) && tracestate_.empty()) {
      tracestate_ = trimmed(field.value);
    }
  }
  headers_.clear();
  for (const std::string& name : service_.settings().headers) {
    if (const auto value = mcp::find_header(fields, name)) headers_.emplace_back(name, *value);
  }
}

void Connection::perform(mcp::ServerAction& action) {
  if (auto* send = std::get_if<mcp::Send>(&action)) {
    sink_->send(std::move(*send));
  } else if (auto* call = std::get_if<mcp::Call>(&action)) {
    call->traceparent = traceparent_;
    call->tracestate = tracestate_;
    call->headers = headers_;
    begin(std::move(*call));
  } else if (const auto* cancelled = std::get_if<mcp::Cancellation>(&action)) {
    if (const auto found = find(cancelled->call); found != running_.end()) {
      const std::shared_ptr<OpenCall> open = std::move(found->second);
      running_.erase(found);
      if (open) open->cancel(CancelCause::client_cancelled);
    }
    if (sink_ != nullptr) sink_->on_cancelled(cancelled->call);
  } else if (const auto* started = std::get_if<mcp::SessionStart>(&action)) {
    service_.on_session(*this, started->caller, SessionStage::started);
  } else if (const auto* opened = std::get_if<mcp::SessionReady>(&action)) {
    service_.on_session(*this, opened->caller, SessionStage::ready);
  } else if (const auto* set = std::get_if<mcp::LogLevelChange>(&action)) {
    service_.on_log_level(*this, set->level);
  } else if (const auto* listening = std::get_if<mcp::SubscriptionOpened>(&action)) {
    keep(listening->call, service_.on_listen(*this, *listening));
  } else if (const auto* answered = std::get_if<mcp::ClientResponse>(&action)) {
    service_.on_client_response(*this, answered->request, answered->outcome);
  } else if (const auto* noticed = std::get_if<mcp::ClientNotification>(&action)) {
    service_.on_notification(*this, noticed->notification);
  }
}

Connection::Running::iterator Connection::find(mcp::CallKey call) {
  return std::ranges::find(running_, call, &Running::value_type::first);
}

void Connection::keep(mcp::CallKey call, std::shared_ptr<OpenCall> open) {
  if (const auto found = find(call); found != running_.end()) {
    found->second = std::move(open);
  } else {
    running_.emplace_back(call, std::move(open));
  }
}

void Connection::begin(mcp::Call&& call) {
  const mcp::CallKey key = call.key;
  // Entered before the service runs, so that find() below tells whether the call is still open.
  keep(key, nullptr);
  sink_->on_call(key);
  std::shared_ptr<OpenCall> open = begin_safely(std::move(call));
  // The service may have answered already, or the connection may be gone.
  if (const auto found = find(key); found != running_.end()) found->second = std::move(open);
}

// The arguments of a client must not end the process, whatever they make a service throw.
std::shared_ptr<OpenCall> Connection::begin_safely(mcp::Call&& call) {
  const mcp::CallKey key = call.key;
  try {
    return service_.begin(std::move(call), shared_from_this());
  } catch (const std::exception& thrown) {
    service_.settings().log({.level = LogLine::Level::error,
                             .event = "call_threw",
                             .outcome = "failed",
                             .note = thrown.what()});
    if (find(key) != running_.end()) {
      reply(key, mcp::internal_error("Internal error: the call could not be begun"));
    }
    return nullptr;
  }
}

void Connection::watch_deadlines() {
  const auto next = peer_.next_deadline();
  if (!next || alarm_ || sink_ == nullptr) return;
  const mcp::Time wait = std::max(*next - service_.host().now(), mcp::Time(1));
  alarm_ = service_.host().after(wait, [weak = weak_from_this()] {
    const std::shared_ptr<Connection> self = weak.lock();
    if (!self) return;
    // The alarm is calling this function, so it is destroyed later.
    self->service_.host().post([alarm = std::move(self->alarm_)] {});
    self->carry_out(self->peer_.tick(self->service_.host().now()));
  });
}

}  // namespace enfold::serve

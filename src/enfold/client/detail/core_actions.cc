// SPDX-License-Identifier: Apache-2.0
// What the protocol wants done, carried out; and the requests that are open.
#include "enfold/client/detail/core.h"
#include "enfold/json/write.h"

#include <fmt/format.h>

namespace enfold::client::detail {
namespace {

// What a request is about, for messages: "tools/call echo".
std::string subject_of(const mcp::CallOptions& options) {
  const auto name = mcp::name_of(mcp::method_from_name(options.method), options.params.view());
  return name ? fmt::format("{} {}", options.method, *name) : options.method;
}

Error from(const mcp::RpcError& refusal) {
  ErrorCode code = ErrorCode::unavailable;
  if (refusal.code == mcp::code::method_not_found) code = ErrorCode::unsupported;
  if (refusal.code == mcp::code::invalid_params || refusal.code == mcp::code::invalid_request ||
      refusal.code == mcp::code::resource_not_found) {
    code = ErrorCode::invalid_input;
  }
  if (refusal.code == mcp::code::missing_capability) code = ErrorCode::unsupported;
  return {code,
          fmt::format("the server refused: {} (error {})", refusal.message, refusal.code),
          {},
          {}};
}

void add_hint(Error& error, std::string_view hint) {
  if (!error.hint.empty()) error.hint += "; ";
  error.hint += hint;
}

}  // namespace

Ticket Core::request(mcp::CallOptions options, CallEvents events) {
  const auto ticket = static_cast<Ticket>(++last_ticket_);
  auto opened = std::make_shared<Open>();
  opened->options = std::move(options);
  opened->events = std::move(events);
  open_[ticket] = std::move(opened);
  if (state_ == State::connecting && open_.size() <= options_.max_open_calls) return ticket;
  // Later, so that an answer never comes inside this call, not even a refusal.
  if (state_ == State::ready) {
    open_[ticket]->is_held = peer_->is_session_over();
    if (!peer_->is_session_over()) send(ticket);
    return ticket;
  }
  loop_.defer([weak = weak_from_this(), ticket] {
    const auto self = weak.lock();
    if (!self) return;
    const Error error{
        self->state_ == State::connecting ? ErrorCode::limit_exceeded : ErrorCode::unavailable,
        self->state_ == State::connecting ? "too many requests wait for the connection"
                                          : "there is no connection to the server",
        describe(self->target_), "connect first"};
    self->finish(ticket, tl::unexpected(CallFailure{error, {}, {}}));
  });
  return ticket;
}

void Core::send(Ticket ticket) {
  Open& open = *open_.at(ticket);
  Result<mcp::ClientPeer::Begun> begun = peer_->call(open.options, now());
  if (!begun) {
    loop_.defer([weak = weak_from_this(), ticket, error = begun.error()] {
      if (const auto self = weak.lock()) {
        self->finish(ticket, tl::unexpected(CallFailure{error, {}, {}}));
      }
    });
    return;
  }
  open.call = begun->call;
  open.is_held = false;
  tickets_[begun->call] = ticket;
  carry_out(std::move(begun->actions));
}

void Core::send_waiting() {
  std::vector<Ticket> waiting;
  for (const auto& [ticket, open] : open_) {
    if (!open->call) waiting.push_back(ticket);
  }
  for (const Ticket ticket : waiting) {
    if (state_ == State::ready && open_.contains(ticket)) send(ticket);
  }
}

void Core::cancel(Ticket ticket, std::string_view reason) {
  const auto found = open_.find(ticket);
  if (found == open_.end()) return;
  const std::optional<mcp::CallKey> call = found->second->call;
  // One of its callbacks may be on the stack.
  loop_.defer([gone = std::move(found->second)] {});
  open_.erase(found);
  if (!call) return;
  tickets_.erase(*call);
  carry_out(peer_->cancel(*call, reason));
  if (transport_) transport_->forget(*call);
}

void Core::notify(std::string_view method, json::View params) {
  if (state_ == State::ready) carry_out(peer_->notify(method, params));
}

void Core::answer(mcp::AskKey ask, mcp::Outcome outcome) {
  if (state_ == State::ready) carry_out(peer_->answer(ask, std::move(outcome), now()));
}

std::shared_ptr<Core::Open> Core::find(mcp::CallKey call) {
  const auto found = tickets_.find(call);
  return found == tickets_.end() ? nullptr : open_.at(found->second);
}

void Core::finish(mcp::CallKey call, CallResult result) {
  const auto found = tickets_.find(call);
  if (found == tickets_.end()) return;
  const Ticket ticket = found->second;
  tickets_.erase(found);
  if (transport_) transport_->forget(call);
  finish(ticket, std::move(result));
}

void Core::finish(Ticket ticket, CallResult result) {
  const auto found = open_.find(ticket);
  if (found == open_.end()) return;
  const std::shared_ptr<Open> open = std::move(found->second);
  open_.erase(found);
  if (!result) {
    result.error().retry_after = open->retry_after;
    if (refusal_) result.error().http_status = refusal_->status;
  }
  if (open->events.done) open->events.done(std::move(result));
}

void Core::fail_all(const Error& error) {
  tickets_.clear();
  while (!open_.empty() && state_ != State::closed) {
    finish(open_.begin()->first, tl::unexpected(CallFailure{error, {}, {}}));
  }
}

void Core::carry_out(mcp::ClientActions actions) {
  const Inside inside(*this);
  for (mcp::ClientAction& action : actions) {
    if (state_ == State::closed) return;
    std::visit([this](auto& one) { perform(one); }, action);
  }
  set_timer();
}

void Core::set_timer() {
  const auto next = peer_ ? peer_->next_deadline() : std::nullopt;
  if (!next || state_ == State::closed) {
    timer_.cancel();
  } else {
    timer_.set_at(net::TimePoint(*next));
  }
}

void Core::perform(mcp::Transmit& action) {
  if (!transport_) return;
  const std::optional<mcp::CallKey> call = action.call;
  const Status sent = transport_->send(std::move(action));
  if (sent || !call) return;
  loop_.defer([weak = weak_from_this(), call = *call, error = sent.error()] {
    if (const auto core = weak.lock(); core && core->state_ != State::closed) {
      core->on_undelivered(call, error);
    }
  });
}

void Core::perform(mcp::Ready& action) {
  server_ = std::move(action.server);
  known_era_ = server_.era;
  state_ = State::ready;
  if (server_.era == mcp::Era::sessions && is_over_http() && options_.listens) {
    transport_->listen(peer_->session_headers());
  }
  if (on_connected_) std::exchange(on_connected_, nullptr)(server_);
  if (state_ == State::ready && events_.on_ready) events_.on_ready(server_);
  if (state_ == State::ready) send_waiting();
}

void Core::perform(mcp::Broken& action) { broke(explain(std::move(action.error), nullptr)); }

void Core::perform(mcp::Finished& action) { finish(action.call, std::move(action.result)); }

void Core::perform(mcp::Refused& action) {
  const auto open = find(action.call);
  if (open == nullptr) return;
  Error error = explain(from(action.error), open.get());
  finish(action.call,
         tl::unexpected(CallFailure{std::move(error), std::move(action.error), std::nullopt}));
}

void Core::perform(mcp::Lost& action) {
  const auto open = find(action.call);
  if (open == nullptr) return;
  Error error = loss_ ? *loss_ : std::move(action.error);
  finish(action.call, tl::unexpected(CallFailure{explain(std::move(error), open.get()),
                                                 std::nullopt, std::nullopt}));
}

// Where it happened, what else came, and what somebody could do about it.
Error Core::explain(Error error, const Open* open) const {
  if (error.where.empty()) {
    error.where = open == nullptr
                      ? describe(target_)
                      : fmt::format("{} at {}", subject_of(open->options), describe(target_));
  }
  if (refusal_) {
    if (refusal_->status == 401 || refusal_->status == 403) {
      add_hint(error, "send what lets you in, such as a header Authorization: Bearer TOKEN");
    } else if (refusal_->status >= 300 && refusal_->status < 400 && !refusal_->location.empty()) {
      add_hint(error, fmt::format("the server points to {}; use that address", refusal_->location));
    } else if (refusal_->status == 404 || refusal_->status == 405) {
      add_hint(error, "check the address; most MCP endpoints end in /mcp");
    }
  }
  if (error.code == ErrorCode::timed_out && open != nullptr) {
    add_hint(error, fmt::format("it was given {:g} seconds; give it more if it needs them",
                                static_cast<double>(open->options.patience.count()) / 1000));
  }
  if (noise_.count > 0 && error.code != ErrorCode::invalid_input) {
    add_hint(error, fmt::format("{} of its messages could not be used; the first begins {}",
                                noise_.count, json::quote(noise_.first)));
  }
  return error;
}

void Core::perform(mcp::Progressed& action) {
  const auto open = find(action.call);
  if (open != nullptr && open->events.on_progress) open->events.on_progress(action);
}

void Core::perform(mcp::Acknowledged& action) {
  const auto open = find(action.call);
  if (open != nullptr && open->events.on_acknowledged) open->events.on_acknowledged(action.filter);
}

void Core::perform(mcp::Logged& action) {
  if (events_.on_log) events_.on_log(action);
}

void Core::perform(mcp::ListChanged& action) {
  if (events_.on_list_changed) events_.on_list_changed(action);
}

void Core::perform(mcp::ResourceUpdated& action) {
  if (events_.on_resource_updated) events_.on_resource_updated(action);
}

void Core::perform(mcp::Heard& action) {
  if (events_.on_notification) events_.on_notification(action.notification);
}

void Core::perform(mcp::InputAsked& action) {
  if (events_.on_ask) {
    events_.on_ask(action);
  } else {
    answer(action.ask, tl::unexpected(mcp::method_not_found(action.request.method)));
  }
}

void Core::perform(mcp::InputWithdrawn& action) {
  if (events_.on_ask_withdrawn) events_.on_ask_withdrawn(action.ask);
}

void Core::perform(mcp::CloseStream& action) {
  if (transport_) transport_->forget(action.call);
}

void Core::perform(mcp::Resume& action) {
  if (transport_) transport_->resume(action, peer_->session_headers());
}

}  // namespace enfold::client::detail

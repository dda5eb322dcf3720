// SPDX-License-Identifier: Apache-2.0
// How a connection begins, breaks and ends, and what the transport reports. What the protocol then
// wants done is in core_actions.cc.
#include "enfold/client/detail/core.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::client::detail {
namespace {

using Eras = ClientOptions::Eras;

constexpr std::size_t kNoiseShown = 120;
constexpr std::chrono::seconds kProgramPatience{60};
constexpr std::chrono::seconds kUrlPatience{10};
// A program that is silent for so long may be waiting for the words of the older era.
constexpr std::chrono::seconds kProbePatience{10};

json::Value default_info() { return json::parse_own(R"({"name":"enfold","version":"0"})"); }

}  // namespace

Core::Core(net::Loop& loop, Target target, ClientOptions options, ClientEvents events)
    : loop_(loop),
      target_(std::move(target)),
      options_(std::move(options)),
      events_(std::move(events)),
      known_era_(options_.known_era),
      timer_(loop, [this] {
        const Inside inside(*this);
        if (peer_) carry_out(peer_->tick(now()));
      }) {
  if (options_.info->is_null()) options_.info = default_info();
}

Core::~Core() = default;

mcp::Time Core::now() const {
  return std::chrono::duration_cast<mcp::Time>(loop_.now().time_since_epoch());
}

void Core::connect(Connected done) {
  const auto tell_later = [&](Result<mcp::ServerIdentity> outcome) {
    loop_.defer([self = shared_from_this(), done = std::move(done),
                 outcome = std::move(outcome)]() mutable {
      const Inside inside(*self);
      if (!self->is_abandoned_) done(std::move(outcome));
    });
  };
  if (state_ == State::ready) {
    tell_later(server_);
  } else if (state_ != State::idle) {
    tell_later(fail(
        ErrorCode::conflict,
        state_ == State::closed ? "the client was closed" : "the connection is already being made",
        describe(target_)));
  } else {
    on_connected_ = std::move(done);
    begin(first_eras());
  }
}

Eras Core::first_eras() const {
  if (options_.eras != Eras::both || !known_era_) return options_.eras;
  if (*known_era_ == mcp::Era::sessions) return Eras::sessions;
  // The first question is the same, and a program that does not know it needs no second life.
  return is_over_http() ? Eras::stateless : Eras::both;
}

void Core::begin(Eras eras) {
  retire();
  state_ = State::connecting;
  eras_ = eras;
  noise_ = {};
  tickets_.clear();
  mcp::ClientConfig config;
  config.info = options_.info;
  config.capabilities = options_.capabilities;
  config.eras = eras;
  config.over_http = is_over_http();
  config.relays_unknown = options_.relays_unknown;
  config.greeting_patience = std::chrono::duration_cast<mcp::Time>(
      options_.greeting_patience.value_or(is_over_http() ? kUrlPatience : kProgramPatience));
  config.probe_patience = std::min<mcp::Time>(kProbePatience, config.greeting_patience / 2);
  config.max_open_calls = options_.max_open_calls;
  peer_ = std::make_unique<mcp::ClientPeer>(std::move(config));
  transport_ = make_transport(loop_, target_, options_, *this);
  if (const Status started = transport_->start(); !started) {
    loop_.defer([self = shared_from_this(), error = started.error()] {
      const Inside inside(*self);
      if (self->state_ != State::connecting) return;
      self->known_era_.reset();
      self->broke(error);
    });
    return;
  }
  carry_out(peer_->start(now()));
}

// The transport goes in good order while something new begins, or nothing.
void Core::retire() {
  if (!transport_) return;
  const std::shared_ptr<Transport> old = std::move(transport_);
  retired_.push_back(old);
  old->close({}, [weak = weak_from_this(), which = old.get()] {
    const std::shared_ptr<Core> self = weak.lock();
    if (!self) return;
    const auto found =
        std::ranges::find_if(self->retired_, [&](const auto& one) { return one.get() == which; });
    if (found == self->retired_.end()) return;
    self->loop_.defer([gone = std::move(*found)] {});
    self->retired_.erase(found);
  });
}

void Core::broke(const Error& error) {
  const bool was_connecting = state_ == State::connecting;
  state_ = State::idle;
  retire();
  if (was_connecting && options_.eras == Eras::both && eras_ != Eras::both && known_era_) {
    known_era_.reset();  // the server is not what it was
    // One that is slow would only be slow again.
    const bool is_slow = error.code == ErrorCode::timed_out && !is_over_http();
    if (!is_slow) {
      begin(Eras::both);
      return;
    }
  }
  const bool some_wait =
      std::ranges::any_of(open_, [](const auto& one) { return one.second->is_held; });
  if (some_wait && !was_connecting) {
    begin(first_eras());
    return;
  }
  fail_all(error);
  if (state_ == State::closed) return;
  if (was_connecting && on_connected_) {
    std::exchange(on_connected_, nullptr)(tl::unexpected(error));
  } else if (events_.on_broken) {
    events_.on_broken(error);
  }
}

void Core::on_message(std::string_view bytes, std::optional<mcp::CallKey> about) {
  const Inside inside(*this);
  auto read = mcp::read_messages(json::Buffer(bytes), options_.limits);
  if (!read) {
    note(bytes);
    const Error error{
        ErrorCode::protocol_violation, read.error().error.message, describe(target_), {}};
    if (events_.on_noise) events_.on_noise(error);
    if (state_ == State::closed) return;
    carry_out(peer_->receive_bytes(json::Buffer(bytes), now(), about, options_.limits));
    if (!about && read.error().error.code == mcp::code::parse_error) lose_answer(bytes, error);
    return;
  }
  for (mcp::Message& message : read->messages) {
    const bool is_response = std::holds_alternative<mcp::Response>(message);
    mcp::ClientActions actions = peer_->receive(std::move(message), now(), about);
    if (is_response && actions.empty()) note(bytes);  // it answers nothing that was asked
    carry_out(std::move(actions));
    if (state_ == State::closed || state_ == State::idle) return;
  }
  for (const mcp::BadMessage& problem : read->bad) {
    note(bytes);
    if (events_.on_noise) {
      events_.on_noise(
          {ErrorCode::protocol_violation, problem.error.message, describe(target_), {}});
    }
    if (state_ == State::closed || state_ == State::idle) return;
    carry_out(peer_->broken(problem, about));
    if (state_ == State::closed || state_ == State::idle) return;
  }
}

// What is no JSON may still be seen to be an answer; it will not come again.
void Core::lose_answer(std::string_view bytes, const Error& error) {
  if (state_ != State::ready) return;
  const mcp::CutMessage seen = mcp::look_at_beginning(bytes);
  if (seen.kind != mcp::CutMessage::Kind::answer) return;
  if (const auto call = meant_by(seen)) on_undelivered(*call, error);
}

// Whose answer it was that cannot be read: its id says so, or only one is awaited.
std::optional<mcp::CallKey> Core::meant_by(const mcp::CutMessage& seen) const {
  if (seen.kind == mcp::CutMessage::Kind::answer && seen.id) return peer_->call_of(*seen.id);
  return tickets_.size() == 1 ? std::optional(tickets_.begin()->first) : std::nullopt;
}

void Core::note(std::string_view what) {
  if (noise_.count++ == 0) noise_.first = what.substr(0, kNoiseShown);
}

void Core::on_session(std::string id) {
  if (state_ == State::connecting) peer_->session_opened(std::move(id));
}

void Core::on_refused(std::optional<mcp::CallKey> call, const Refusal& refusal) {
  const Inside inside(*this);
  if (const std::shared_ptr<Open> open = call ? find(*call) : nullptr) {
    open->retry_after = refusal.retry_after;
    // A session that the server has forgotten: this request was not looked at, so it may be sent
    // again in a new one.
    const bool forgotten =
        refusal.status == 404 && !refusal.was_accepted && !peer_->session().empty();
    if (forgotten && !open->was_repeated) {
      open->was_repeated = true;
      open->is_held = true;
      open->call.reset();
      tickets_.erase(*call);
    }
  }
  refusal_ = refusal;
  carry_out(peer_->refused(call, refusal.status, refusal.body, now()));
  refusal_.reset();
}

void Core::on_stream_end(mcp::CallKey call, std::string_view last_event_id,
                         std::optional<std::chrono::milliseconds> retry) {
  const Inside inside(*this);
  carry_out(peer_->stream_ended(call, last_event_id, retry, now()));
}

void Core::on_undelivered(mcp::CallKey call, const Error& error) {
  const Inside inside(*this);
  const std::shared_ptr<Open> open = find(call);
  if (open == nullptr) {
    if (state_ != State::connecting) return;
    carry_out(peer_->closed(error.message));  // it was the greeting
    broke(explain(error, nullptr));
    return;
  }
  const Error told = explain(error, open.get());
  carry_out(peer_->cancel(call, "no answer could be read"));
  finish(call, tl::unexpected(CallFailure{told, std::nullopt, std::nullopt}));
}

void Core::on_noise(const Error& error) {
  const Inside inside(*this);
  note(error.message);
  if (events_.on_noise) events_.on_noise(error);
}

// Whose answer it was stands at its beginning or at its end, as its author likes it.
void Core::on_oversize(const Error& error, std::string_view beginning) {
  const Inside inside(*this);
  on_noise(error);
  lost_answer_.reset();
  if (state_ != State::ready || tickets_.empty()) return;
  Error told = error;
  told.hint = "ask for less, or raise the limit";
  const mcp::CutMessage seen = mcp::look_at_beginning(beginning);
  if (seen.kind == mcp::CutMessage::Kind::no_answer) return;
  if (const auto call = meant_by(seen)) {
    on_undelivered(*call, told);
    return;
  }
  const bool is_of_nobody = seen.kind == mcp::CutMessage::Kind::answer && seen.id;
  if (is_of_nobody || seen.kind == mcp::CutMessage::Kind::no_message) return;
  lost_answer_ = LostAnswer{std::move(told), {}};
  for (const auto& [call, ticket] : tickets_) lost_answer_->suspects.push_back(call);
}

// If nobody can tell, every call that it may have been for has lost its answer: none of them can
// know better by waiting.
void Core::on_skipped(std::string_view end) {
  const Inside inside(*this);
  const std::optional<LostAnswer> lost = std::exchange(lost_answer_, std::nullopt);
  const mcp::CutMessage seen = mcp::look_at_end(end);
  if (!lost || state_ != State::ready || seen.kind == mcp::CutMessage::Kind::no_answer) return;
  const auto meant = seen.id ? peer_->call_of(*seen.id) : std::nullopt;
  for (const mcp::CallKey call : lost->suspects) {
    const bool concerned = !seen.id || meant == call;
    if (concerned && state_ == State::ready && find(call)) on_undelivered(call, lost->told);
  }
}

void Core::on_error_line(std::string_view line) {
  const Inside inside(*this);
  if (events_.on_error_line) events_.on_error_line(line);
}

void Core::on_lost(const Error& error) {
  const Inside inside(*this);
  // Some servers end when they are asked what they do not know. They get a second life, and are
  // asked as they were before there was anything to discover.
  if (state_ == State::connecting && eras_ == Eras::both && !is_over_http()) {
    known_era_.reset();
    begin(Eras::sessions);
    return;
  }
  loss_ = error;
  if (noise_.count > 0 && state_ == State::connecting) loss_ = explain(error, nullptr);
  carry_out(peer_->closed(error.message));
  const Error told = *std::exchange(loss_, std::nullopt);
  if (state_ == State::connecting || state_ == State::ready) broke(told);
}

void Core::close(net::Task done, const Error& told) {
  if (state_ == State::closed) {
    if (closing_.empty()) {
      loop_.defer(std::move(done));
    } else {
      closing_.push_back(std::move(done));
      transport_->hurry();
    }
    return;
  }
  const Inside inside(*this);
  const std::vector<mcp::Header> headers =
      state_ == State::ready ? peer_->session_headers() : std::vector<mcp::Header>();
  state_ = State::idle;
  fail_all(told);
  if (on_connected_) std::exchange(on_connected_, nullptr)(tl::unexpected(told));
  state_ = State::closed;
  timer_.cancel();
  if (!transport_) {
    loop_.defer(std::move(done));
    return;
  }
  // Nobody of the transport is on the stack any more when `done` comes.
  closing_.push_back(std::move(done));
  transport_->close(headers, [self = shared_from_this()] {
    for (net::Task& one : std::exchange(self->closing_, {})) self->loop_.defer(std::move(one));
  });
}

void Core::abandon() {
  is_abandoned_ = true;
  state_ = State::closed;
  timer_.cancel();
  const auto release = [](Core& core) {
    core.open_.clear();
    core.on_connected_ = nullptr;
    core.events_ = {};
    core.transport_.reset();
    core.retired_.clear();
  };
  if (depth_ == 0) {
    release(*this);
  } else {
    loop_.defer([self = shared_from_this(), release] { release(*self); });
  }
}

}  // namespace enfold::client::detail

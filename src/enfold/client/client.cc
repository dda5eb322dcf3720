// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/client.h"

#include "enfold/client/detail/connection.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>

namespace enfold::client {

namespace detail {

struct OpenRequest {
  mcp::CallOptions options;
  CallEvents events;
  bool is_sent = false;
  bool may_resend = true;  ///< once, if the server has lost the session
};

/// The open requests of a client: sent to the server, or waiting for a connection. The peer uses
/// the same keys.
class Requests {
 public:
  mcp::CallKey add(mcp::CallOptions options, CallEvents events) {
    const auto call = static_cast<mcp::CallKey>(++last_call_);
    open_.emplace(
        call, std::make_shared<OpenRequest>(OpenRequest{std::move(options), std::move(events)}));
    return call;
  }
  /// nullptr: the request is not open.
  [[nodiscard]] std::shared_ptr<OpenRequest> find(mcp::CallKey call) const {
    const auto found = open_.find(call);
    return found == open_.end() ? nullptr : found->second;
  }
  /// Removes the request; nullptr: it is not open.
  std::shared_ptr<OpenRequest> take(mcp::CallKey call) {
    std::shared_ptr<OpenRequest> request = find(call);
    open_.erase(call);
    return request;
  }
  /// Removes the request and calls its `done`, which may destroy this object.
  void finish(mcp::CallKey call, CallResult result) {
    const std::shared_ptr<OpenRequest> request = take(call);
    if (request && request->events.done) request->events.done(std::move(result));
  }

  [[nodiscard]] std::size_t size() const { return open_.size(); }
  [[nodiscard]] std::vector<mcp::CallKey> keys() const {
    std::vector<mcp::CallKey> out;
    for (const auto& [call, request] : open_) out.push_back(call);
    return out;
  }
  /// The requests that wait for a connection.
  [[nodiscard]] std::vector<mcp::CallKey> waiting() const {
    std::vector<mcp::CallKey> out;
    for (const auto& [call, request] : open_) {
      if (!request->is_sent) out.push_back(call);
    }
    return out;
  }

 private:
  std::map<mcp::CallKey, std::shared_ptr<OpenRequest>> open_;
  std::uint64_t last_call_ = 0;
};

}  // namespace detail

namespace {

using Eras = ClientOptions::Eras;

// Method and name of a request for messages: "tools/call echo".
std::string subject_of(const mcp::CallOptions& options) {
  const auto name = mcp::mcp_name_of(mcp::method_from_name(options.method), options.params.view());
  return name ? fmt::format("{} {}", options.method, *name) : options.method;
}

// The eras that the first attempt to connect tries. For a child that was stateless before, both:
// the first request is the same as for `stateless`, and if the child has changed its era, it need
// not be started a second time.
Eras first_eras(Eras wanted, std::optional<mcp::Era> known, bool over_http) {
  if (wanted != Eras::both || !known) return wanted;
  if (*known == mcp::Era::sessions) return Eras::sessions;
  return over_http ? Eras::stateless : Eras::both;
}

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace

Client::Client(net::Loop& loop, Target target, ClientOptions options, OnEvent on_event)
    : loop_(loop),
      target_(std::move(target)),
      options_(std::move(options)),
      on_event_(std::make_shared<const OnEvent>(std::move(on_event))),
      known_era_(options_.known_era),
      requests_(std::make_unique<detail::Requests>()) {
  if (options_.info->is_null()) {
    options_.info = json::parse_own(R"({"name":"enfold","version":"0"})");
  }
}

// A callback may destroy the client. So the code that calls back keeps alive what it still uses.
Client::~Client() {
  if (connection_) connection_->detach();
}

void Client::connect(Connected done) {
  const auto report_later = [&](Result<mcp::ServerIdentity> outcome) {
    loop_.defer(lifetime_.guarded(
        [done = std::move(done), outcome = std::move(outcome)]() mutable { done(outcome); }));
  };
  switch (state_) {
    case State::ready: report_later(server_); return;
    case State::connecting:
      report_later(
          fail(ErrorCode::conflict, "the connection is already being made", describe(target_)));
      return;
    case State::closed:
      report_later(fail(ErrorCode::conflict, "the client was closed", describe(target_)));
      return;
    case State::idle: break;
  }
  on_connected_ = std::move(done);
  open_connection(first_eras(options_.eras, known_era_, is_over_http()));
}

void Client::open_connection(Eras eras) {
  retire_connection();
  state_ = State::connecting;
  eras_ = eras;
  const auto on_report =
      Overloaded{[this](mcp::ResultReport& finished) {
                   requests_->finish(finished.call, std::move(finished.result));
                 },
                 [this](detail::FailureReport& failed) { on_call_failed(std::move(failed)); },
                 [this](mcp::ProgressReport& progressed) {
                   const auto request = requests_->find(progressed.call);
                   if (request && request->events.on_progress)
                     request->events.on_progress(progressed);
                 },
                 [this](mcp::SubscriptionAcknowledged& acknowledged) {
                   const auto request = requests_->find(acknowledged.call);
                   if (!request || !request->events.on_acknowledged) return;
                   request->events.on_acknowledged(acknowledged.filter);
                 },
                 [this](detail::ConnectionEnd& end) { on_connection_end(end); },
                 [this](Event& event) { on_event(std::move(event)); }};
  connection_ = std::make_shared<detail::Connection>(
      loop_, target_, options_, eras,
      [on_report](detail::Report report) { std::visit(on_report, report); });
  const Status started = connection_->start();
  if (started) return;
  loop_.defer(lifetime_.guarded([this, which = connection_.get(), error = started.error()] {
    if (connection_.get() != which) return;  // closed or replaced in the meantime
    // A program that cannot be started is not started again for other eras.
    on_connection_end({.error = error, .is_final = true});
  }));
}

// The connection closes gracefully, in the background; the client continues without it.
void Client::retire_connection() {
  if (!connection_) return;
  retired_.push_back(std::move(connection_));
  detail::Connection* const which = retired_.back().get();
  which->close(lifetime_.guarded([this, which] {
    const auto found =
        std::ranges::find(retired_, which, &std::shared_ptr<detail::Connection>::get);
    if (found == retired_.end()) return;
    loop_.defer([closed = std::move(*found)] {});  // its transport is calling this function
    retired_.erase(found);
    report_closed();
  }));
}

void Client::report_closed() {
  if (!retired_.empty()) return;
  for (net::Task& task : std::exchange(on_closed_, {})) loop_.defer(std::move(task));
}

mcp::CallKey Client::request(mcp::CallOptions options, CallEvents events) {
  const mcp::CallKey call = requests_->add(std::move(options), std::move(events));
  if (state_ == State::ready) {
    // A request after the end of the session waits: on_connection_end opens a new session for it.
    if (!connection_->is_session_over()) send(call);
    return call;
  }
  const bool may_wait =
      state_ == State::connecting || (state_ == State::idle && options_.holds_requests);
  if (may_wait && requests_->size() <= options_.max_open_calls) return call;
  Error error = may_wait
                    ? Error{ErrorCode::limit_exceeded, "too many requests wait for the connection",
                            describe(target_), "send fewer requests at the same time"}
                    : Error{ErrorCode::unavailable, "there is no connection to the server",
                            describe(target_), "connect first"};
  loop_.defer(lifetime_.guarded([this, call, error = std::move(error)] {
    requests_->finish(call, tl::unexpected(CallFailure{error, /*refusal=*/{}, /*retry_after=*/{}}));
  }));
  return call;
}

void Client::send(mcp::CallKey call) {
  const std::shared_ptr<detail::OpenRequest> request = requests_->find(call);
  request->is_sent = true;
  const Status sent = connection_->call(call, request->options);
  if (sent) return;
  // `done` is never called inside request().
  loop_.defer(lifetime_.guarded([this, call, error = sent.error()] {
    requests_->finish(call, tl::unexpected(CallFailure{error, /*refusal=*/{}, /*retry_after=*/{}}));
  }));
}

std::size_t Client::open_requests() const { return requests_->size(); }

bool Client::cancel(mcp::CallKey call, std::string_view reason, mcp::LateAnswer late) {
  const bool may_report = late == mcp::LateAnswer::report;
  const std::shared_ptr<detail::OpenRequest> request =
      may_report ? requests_->find(call) : requests_->take(call);
  if (!request || !request->is_sent || !connection_) return false;
  request->may_resend = false;
  return connection_->cancel(call, reason, late);
}

// Fails the requests that are open now. A callback may add others; they are not failed here.
void Client::fail_all(const Error& error, int http_status) {
  const auto alive = lifetime_.watch();
  for (const mcp::CallKey call : requests_->keys()) {
    if (alive.expired()) return;
    requests_->finish(
        call, tl::unexpected(CallFailure{error, /*refusal=*/{}, /*retry_after=*/{}, http_status}));
  }
}

void Client::on_call_failed(detail::FailureReport failed) {
  const std::shared_ptr<detail::OpenRequest> request = requests_->find(failed.call);
  if (!request) return;
  if (failed.session_lost && std::exchange(request->may_resend, false)) {
    request->is_sent = false;  // waits until there is a new session
    return;
  }
  Error& error = failed.failure.error;
  if (error.where.empty()) {
    error.where = fmt::format("{} at {}", subject_of(request->options), describe(target_));
  }
  requests_->finish(failed.call, tl::unexpected(std::move(failed.failure)));
}

void Client::report(Event event) {
  const std::shared_ptr<const OnEvent> on_event = on_event_;
  if (*on_event) (*on_event)(std::move(event));
}

void Client::on_event(Event event) {
  if (const auto* asked = std::get_if<mcp::ServerRequest>(&event); asked && !*on_event_) {
    answer(asked->key, tl::unexpected(mcp::method_not_found(asked->request.method)));
    return;
  }
  const auto* ready = std::get_if<mcp::Ready>(&event);
  if (ready == nullptr) {
    report(std::move(event));
    return;
  }
  server_ = ready->server;
  known_era_ = server_.era;
  state_ = State::ready;
  const auto alive = lifetime_.watch();
  report(std::move(event));
  if (alive.expired() || state_ != State::ready) return;
  if (on_connected_) std::exchange(on_connected_, nullptr)(server_);
  if (alive.expired()) return;
  for (const mcp::CallKey call : requests_->waiting()) {
    if (alive.expired() || state_ != State::ready) return;
    if (requests_->find(call)) send(call);
  }
}

void Client::on_connection_end(const detail::ConnectionEnd& end) {
  const Error error = end.error;
  const int http_status = end.http_status;
  const bool may_retry = !end.is_final;
  const bool was_connecting = state_ == State::connecting;
  state_ = State::idle;
  // Some servers exit when they get an unknown request. Such a server is started again and gets
  // only `initialize`.
  if (may_retry && was_connecting && end.transport_lost && eras_ == Eras::both && !is_over_http()) {
    known_era_.reset();
    open_connection(Eras::sessions);
    return;
  }
  if (may_retry && was_connecting && options_.eras == Eras::both && eras_ != Eras::both &&
      known_era_) {
    known_era_.reset();  // the server has changed
    // A program that timed out is not started a second time: it would time out again.
    const bool is_slow = error.code == ErrorCode::timed_out && !is_over_http();
    if (!is_slow) {
      open_connection(Eras::both);
      return;
    }
  }
  // The session expired, and requests wait for a new one.
  if (may_retry && !was_connecting && !requests_->waiting().empty()) {
    open_connection(first_eras(options_.eras, known_era_, is_over_http()));
    return;
  }
  retire_connection();
  Connected on_connected = std::exchange(on_connected_, nullptr);
  const auto alive = lifetime_.watch();
  fail_all(error, http_status);
  if (!alive.expired()) report(mcp::Broken{error});
  if (!alive.expired() && on_connected) on_connected(tl::unexpected(error));
}

void Client::notify(std::string_view method, json::View params) {
  if (state_ == State::ready) connection_->notify(method, params);
}

void Client::answer(mcp::ServerRequestKey key, mcp::ResultOrError outcome) {
  if (state_ == State::ready) connection_->answer(key, std::move(outcome));
}

void Client::disconnect(const Error& why) {
  if (state_ == State::connecting || state_ == State::ready) {
    on_connection_end({.error = why, .is_final = true});
  }
}

void Client::close(net::Task done) {
  if (state_ == State::closed && !on_closed_.empty()) {
    on_closed_.push_back(std::move(done));
    // Closed a second time: a child gets SIGTERM at once.
    for (const auto& one : retired_) one->close({});
    return;
  }
  const auto alive = lifetime_.watch();
  if (state_ != State::closed) {
    state_ = State::closed;
    const Error error{ErrorCode::cancelled, "the client was closed", describe(target_), {}};
    Connected on_connected = std::exchange(on_connected_, nullptr);
    fail_all(error);
    if (!alive.expired() && on_connected) on_connected(tl::unexpected(error));
  }
  if (alive.expired()) return;
  on_closed_.push_back(std::move(done));
  retire_connection();
  report_closed();
}

}  // namespace enfold::client

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/connection.h"

#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::chrono::seconds kPingTimeout{5};  // after a call has timed out

client::ClientOptions options_for(const UpstreamSettings& settings, const mcp::Caller* caller,
                                  std::optional<mcp::Era> known_era) {
  client::ClientOptions options;
  if (caller != nullptr) {
    options.info = caller->client_info;
    options.capabilities = caller->capabilities;
  }
  options.eras = settings.eras;
  options.known_era = known_era;
  options.relay_unknown_requests = true;
  options.holds_requests = true;
  options.startup_timeout = settings.startup_timeout;
  options.idle_timeout = settings.idle_timeout;
  options.call_timeout = settings.call_timeout;
  return options;
}

// The configured name of the upstream, or its origin: paths and queries may contain secrets.
std::string name_or_origin(const UpstreamSettings& settings) {
  if (!settings.name.empty()) return settings.name;
  const auto* http = std::get_if<client::HttpTarget>(&settings.target);
  return http != nullptr ? http->url.origin() : client::describe(settings.target);
}

}  // namespace

UpstreamConnection::UpstreamConnection(net::Loop& loop, const UpstreamSettings& settings,
                                       Breaker& breaker, UpstreamOwner& owner,
                                       std::shared_ptr<const mcp::Caller> on_behalf_of,
                                       std::optional<mcp::Era> known_era)
    : loop_(loop),
      settings_(settings),
      breaker_(breaker),
      owner_(owner),
      on_behalf_of_(std::move(on_behalf_of)),
      client_(loop, settings.target, options_for(settings, on_behalf_of_.get(), known_era),
              [this](client::Event event) { on_event(std::move(event)); }),
      retry_(loop, [this] {
        if (is_idle()) connect({});
      }) {}

UpstreamConnection::~UpstreamConnection() = default;

Error UpstreamConnection::with_place(Error error) const {
  error.where = name_or_origin(settings_);
  return error;
}

void UpstreamConnection::on_event(client::Event event) {
  if (std::holds_alternative<mcp::Ready>(event)) ++times_ready_;
  if (auto* broken = std::get_if<mcp::Broken>(&event)) {
    breaker_.record_failure(loop_.now());
    broken->error = with_place(std::move(broken->error));
  }
  owner_.on_event(*this, std::move(event));
}

void UpstreamConnection::connect(client::Client::Connected done) {
  client_.connect(
      lifetime_.guarded([this, done = std::move(done)](Result<mcp::ServerIdentity> server) mutable {
        if (!server) server = tl::unexpected(with_place(server.error()));
        if (done) done(std::move(server));
      }));
}

mcp::CallKey UpstreamConnection::request(mcp::CallOptions options, client::CallEvents events) {
  events.done = lifetime_.guarded([this, method = options.method, done = std::move(events.done)](
                                      client::CallResult result) mutable {
    on_done(result);
    owner_.filter_reply(method, result);
    if (done) done(std::move(result));
  });
  if (events.on_progress) {
    events.on_progress =
        [this, report = std::move(events.on_progress)](const mcp::ProgressReport& progressed) {
          mcp::ProgressReport shown = progressed;
          shown.params = owner_.show_progress(progressed.params);
          report(shown);
        };
  }
  const mcp::CallKey call = client_.request(std::move(options), std::move(events));
  if (!is_idle()) return call;
  const auto wait = breaker_.wait(loop_.now());
  if (breaker_.is_open(loop_.now())) {
    loop_.defer(lifetime_.guarded([this, call] {
      if (is_idle()) client_.fail_request(call, refusal());
    }));
  } else if (wait > Breaker::Wait::zero()) {
    if (!retry_.is_set()) retry_.set_after(wait);
  } else {
    connect({});
  }
  return call;
}

void UpstreamConnection::on_done(client::CallResult& result) {
  if (result.has_value() || result.error().refusal) breaker_.record_success();
  if (result) return;
  Error& error = result.error().error;
  if (error.code == ErrorCode::timed_out) probe_after_timeout();
  error = with_place(std::move(error));
}

client::CallFailure UpstreamConnection::refusal() const {
  const auto wait = std::chrono::ceil<std::chrono::seconds>(breaker_.wait(loop_.now()));
  return {{ErrorCode::unavailable,
           fmt::format("the server failed {} times in a row and is left alone for {} seconds",
                       breaker_.failures(), wait.count()),
           name_or_origin(settings_),
           {}},
          {},
          std::max(wait, std::chrono::seconds(1))};
}

// A call that timed out may only have been slow. A child process that does not answer a ping either
// is restarted; a server over HTTP cannot be restarted.
void UpstreamConnection::probe_after_timeout() {
  if (is_probing_ || is_over_http() || !is_ready()) return;
  is_probing_ = true;
  const bool sessions = server().era == mcp::Era::sessions;
  mcp::CallOptions ping =
      prepare(mcp::name(sessions ? mcp::Method::ping : mcp::Method::discover), {});
  ping.idle_timeout = std::min<mcp::Time>(
      kPingTimeout, std::chrono::duration_cast<mcp::Time>(settings_.idle_timeout));
  client_.request(
      std::move(ping), {.done = lifetime_.guarded([this](const client::CallResult& result) {
        is_probing_ = false;
        if (result || result.error().error.code != ErrorCode::timed_out) return;
        client_.disconnect({ErrorCode::unavailable, "the server hangs and is restarted", {}, {}});
      })});
}

void UpstreamConnection::close(net::Task done) {
  retry_.cancel();
  client_.close(std::move(done));
}

mcp::Reply as_reply(client::CallResult result) {
  if (result) return mcp::UpstreamResult{std::move(*result)};
  client::CallFailure& failure = result.error();
  if (failure.refusal) return std::move(*failure.refusal);
  failure.error.hint.clear();  // the hint is for the operator and may contain addresses
  return mcp::to_rpc_error(failure.error);
}

void ClientCall::send(std::shared_ptr<UpstreamConnection> connection, mcp::CallOptions options) {
  const std::shared_ptr<ClientCall> kept = shared_from_this();
  if (connection_) open_calls_.remove(*connection_, place_);
  connection_ = std::move(connection);
  place_ = open_calls_.add(*connection_, kept);
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
    held_reply_ = std::move(reply);
    return;
  }
  const std::shared_ptr<ClientCall> self = shared_from_this();
  end();
  if (const std::shared_ptr<serve::ClientChannel> channel = channel_.lock()) {
    channel->reply(call_.key, std::move(reply));
  }
}

void ClientCall::cancel_request(std::string_view reason) {
  if (const auto request = std::exchange(request_, std::nullopt))
    connection_->cancel(*request, reason);
}

void ClientCall::abandon(std::string_view reason) {
  if (is_ended()) return;
  const std::shared_ptr<ClientCall> self = shared_from_this();
  cancel_request(reason);
  end();
}

void ClientCall::end() {
  is_ended_ = true;
  if (connection_) open_calls_.remove(*connection_, place_);
  open_calls_.report_end();
}

void ClientCall::park(mcp::ServerRequestKey key, const mcp::InputRequest& request,
                      const std::string& state) {
  question_ = key;
  input_ = request.key;
  state_ = state;
  if (const std::shared_ptr<serve::ClientChannel> channel = channel_.lock()) {
    channel->reply(call_.key, mcp::InputRequired{{request}, state, {}});
  }
}

void ClientCall::resume(mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel) {
  call_ = std::move(call);
  channel_ = channel;
  state_.clear();
  const json::Value* answer = call_.inputs.find(input_);
  connection_->answer(question_, answer != nullptr
                                     ? mcp::ResultOrError(*answer)
                                     : mcp::ResultOrError(tl::unexpected(mcp::invalid_request(
                                           "The client came back without an answer"))));
  if (held_reply_) reply(*std::exchange(held_reply_, std::nullopt));
}

OpenCalls::List::iterator OpenCalls::add(UpstreamConnection& connection,
                                         std::shared_ptr<ClientCall> call) {
  if (on_begin_) on_begin_(connection);
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

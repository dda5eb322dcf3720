// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/connection.h"

#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::chrono::seconds kPingTimeout{5};         // after a call has timed out
constexpr std::chrono::seconds kRetryAfterRefusal{30};  // named to clients, see refuse()

client::ClientOptions options_for(const UpstreamSettings& settings, UpstreamOwner& owner,
                                  const mcp::Caller* caller, std::optional<mcp::Era> known_era) {
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
  options.max_notification_bytes = kMaxNotificationBytes;
  options.work = [&settings, &owner](std::size_t bytes, net::Task job, net::Task done) {
    owner.work(settings, bytes, std::move(job), std::move(done));
  };
  return options;
}

// The configured name of the upstream, or its origin: paths and queries may contain secrets.
std::string name_or_origin(const UpstreamSettings& settings) {
  if (!settings.name.empty()) return settings.name;
  const auto* http = std::get_if<client::HttpTarget>(&settings.target);
  return http != nullptr ? http->url.origin() : client::describe(settings.target);
}

// The error with the name of the upstream as its place.
Error with_place(Error error, const UpstreamSettings& settings) {
  error.where = name_or_origin(settings);
  return error;
}

// Whether the client must be told to connect.
bool is_idle(const client::Client& client) { return !client.is_ready() && !client.is_connecting(); }

}  // namespace

UpstreamConnection::UpstreamConnection(net::Loop& loop, const UpstreamSettings& settings,
                                       Breakers& breakers, UpstreamOwner& owner,
                                       std::shared_ptr<const mcp::Caller> on_behalf_of,
                                       std::optional<mcp::Era> known_era)
    : loop_(loop),
      settings_(settings),
      breakers_(breakers),
      owner_(owner),
      on_behalf_of_(std::move(on_behalf_of)),
      last_used_(loop.now()),
      client_(loop, settings.target, options_for(settings, owner, on_behalf_of_.get(), known_era),
              [this](client::Event event) { on_event(std::move(event)); }),
      retry_(loop, [this] {
        if (is_idle(client_)) connect({});
      }) {}

UpstreamConnection::~UpstreamConnection() = default;

void UpstreamConnection::on_event(client::Event event) {
  if (std::holds_alternative<mcp::Ready>(event)) {
    ++times_ready_;
    was_ready_ = true;
    last_used_ = loop_.now();
  }
  if (auto* broken = std::get_if<mcp::Broken>(&event)) {
    // The principals whose breakers count this failure; none: it counts for all. They are those
    // whose open calls have failed just now; without open calls, that of the last call, which may
    // be the reason. If the handshake failed, no call can be the reason.
    std::set<std::string> principals = std::exchange(broken_for_, {});
    if (broken_at_ != loop_.now()) principals.clear();
    const bool has_started = std::exchange(was_ready_, false);
    if (!has_started) principals.clear();
    if (has_started && principals.empty() && !last_principal_.empty()) {
      principals.insert(last_principal_);
    }
    // The server was restarted because it hung: the other calls failed only for that reason.
    if (const std::string hung_for = std::exchange(hung_for_, {}); !hung_for.empty()) {
      principals = {hung_for};
    }
    breakers_.record_failure(principals, loop_.now());
    broken->error = with_place(std::move(broken->error), settings_);
  }
  owner_.on_event(*this, std::move(event));
}

void UpstreamConnection::connect(client::Client::Connected done) {
  client_.connect(
      lifetime_.guarded([this, done = std::move(done)](Result<mcp::ServerIdentity> server) mutable {
        if (!server) server = tl::unexpected(with_place(server.error(), settings_));
        if (done) done(std::move(server));
      }));
}

mcp::CallKey UpstreamConnection::request(mcp::CallOptions options, client::CallEvents events,
                                         const std::string& principal) {
  last_used_ = loop_.now();
  if (auto refused = refusal(principal)) {
    loop_.defer(
        lifetime_.guarded([done = std::move(events.done), failure = std::move(*refused)]() mutable {
          if (done) done(tl::unexpected(std::move(failure)));
        }));
    return {};
  }
  if (!principal.empty()) last_principal_ = principal;
  events.done = lifetime_.guarded([this, method = options.method, done = std::move(events.done),
                                   principal](client::CallResult result) mutable {
    on_reply(method, principal, std::move(result), std::move(done));
  });
  if (events.on_progress) {
    events.on_progress =
        [this, report = std::move(events.on_progress)](const mcp::ProgressReport& progressed) {
          std::optional<json::Value> params = owner_.shown_progress(*this, progressed.params);
          if (!params) return;
          mcp::ProgressReport shown = progressed;
          shown.params = std::move(*params);
          report(shown);
        };
  }
  const mcp::CallKey call = client_.request(std::move(options), std::move(events));
  if (!is_idle(client_)) return call;
  const auto wait = breakers_.of(principal).wait(loop_.now());
  if (wait > Breaker::Wait::zero()) {
    if (!retry_.is_set()) retry_.set_after(wait);
  } else {
    connect({});
  }
  return call;
}

void UpstreamConnection::on_reply(std::string_view method, const std::string& principal,
                                  client::CallResult result,
                                  net::Callback<void(client::CallResult result)> done) {
  last_used_ = loop_.now();
  if (result.has_value() || result.error().refusal) breakers_.record_success(principal);
  if (!result) {
    Error& error = result.error().error;
    if (error.code == ErrorCode::unavailable && !principal.empty()) {
      if (std::exchange(broken_at_, last_used_) != last_used_) broken_for_.clear();
      broken_for_.insert(principal);
    }
    if (error.code == ErrorCode::timed_out) probe_after_timeout(principal);
    error = with_place(std::move(error), settings_);
  }
  show_reply(method, principal, std::move(result), std::move(done));
}

void UpstreamConnection::show_reply(std::string_view method, const std::string& principal,
                                    client::CallResult result,
                                    net::Callback<void(client::CallResult result)> done) {
  ++filtering_;
  const auto then = std::make_shared<decltype(done)>(std::move(done));
  UpstreamOwner::Filtered show = lifetime_.guarded([this, then](client::CallResult filtered) {
    --filtering_;
    if (on_request_end_) on_request_end_();
    if (*then) (*then)(std::move(filtered));
  });
  // Answers of tools are not filtered here: AnswerWriter redacts them.
  if (result && is_tool_answer(method)) return show(std::move(result));
  owner_.filter_reply(method, principal, std::move(result), std::move(show));
}

// An open breaker refuses the calls of its principal even while there is a connection, which a call
// of another principal has made.
std::optional<client::CallFailure> UpstreamConnection::refusal(const std::string& principal) const {
  if (refusal_)
    return client::CallFailure{with_place(*refusal_, settings_), /*refusal=*/{},
                               kRetryAfterRefusal};
  const Breaker& breaker = breakers_.of(principal);
  if (!breaker.is_open(loop_.now())) return std::nullopt;
  const auto wait = std::chrono::ceil<std::chrono::seconds>(breaker.wait(loop_.now()));
  return client::CallFailure{
      {ErrorCode::unavailable,
       fmt::format("the server failed {} times in a row and is left alone for {} seconds",
                   breaker.failures(), wait.count()),
       name_or_origin(settings_),
       {}},
      {},
      std::max(wait, std::chrono::seconds(1))};
}

// A call that timed out may only have been slow. A child process that does not answer a ping either
// is restarted; a server over HTTP cannot be restarted.
void UpstreamConnection::probe_after_timeout(const std::string& principal) {
  if (is_probing_ || is_over_http() || !is_ready()) return;
  is_probing_ = true;
  const bool has_sessions = server().era == mcp::Era::sessions;
  mcp::CallOptions ping =
      prepare(mcp::name(has_sessions ? mcp::Method::ping : mcp::Method::discover), {});
  ping.idle_timeout = std::min<mcp::Time>(
      kPingTimeout, std::chrono::duration_cast<mcp::Time>(settings_.idle_timeout));
  client_.request(
      std::move(ping),
      {.done = lifetime_.guarded([this, principal](const client::CallResult& result) {
        is_probing_ = false;
        if (result || result.error().error.code != ErrorCode::timed_out) return;
        hung_for_ = principal;
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
  if (!take_place()) {
    reply(open_calls_.refusal(call_.raw_params->raw().size()));
    return;
  }
  const std::shared_ptr<ClientCall> kept = shared_from_this();
  if (connection_) open_calls_.remove(*connection_, position_);
  connection_ = std::move(connection);
  position_ = open_calls_.add(*connection_, kept);
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
  const std::shared_ptr<serve::ClientChannel> channel = channel_.lock();
  request_ = connection_->request(std::move(options), std::move(events),
                                  channel ? channel->state().principal : std::string());
}

void ClientCall::notify(std::string_view method, json::View params) {
  if (!is_awaited()) return;
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

bool ClientCall::keep_for_late_answer(std::string_view reason) {
  client_has_left_ =
      is_awaited() && request_ && connection_->cancel(*request_, reason, mcp::LateAnswer::report);
  return client_has_left_;
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
  share_.reset();
  if (connection_) open_calls_.remove(*connection_, position_);
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

mcp::RpcError OpenCalls::refusal(std::size_t bytes) const {
  return mcp::internal_error(fmt::format(
      "Too many open calls of this client: at most a share of {}{}", settings_.max_open_calls,
      counts(bytes) ? fmt::format(", and {} MiB of arguments", kMaxArgumentBytes / 4 >> 20) : ""));
}

std::shared_ptr<void> OpenCalls::take_large_place(const ClientShare& client, std::size_t bytes) {
  if (!arguments_->has_room(client.owner, kMaxArgumentBytes)) return nullptr;
  std::shared_ptr<void> place = places_.take(client.owner, client.limit);
  if (!place) return nullptr;
  using Both = std::pair<std::shared_ptr<void>, std::shared_ptr<void>>;
  return std::make_shared<Both>(std::move(place),
                                ReservedBytes::reserve(arguments_, client.owner, bytes));
}

OpenCalls::List::iterator OpenCalls::add(UpstreamConnection& connection,
                                         std::shared_ptr<ClientCall> call) {
  if (on_begin_) on_begin_(connection);
  List& list = calls_[&connection];
  ++size_;
  return list.insert(list.end(), std::move(call));
}

void OpenCalls::remove(const UpstreamConnection& connection, List::iterator position) {
  const auto found = calls_.find(&connection);
  found->second.erase(position);
  --size_;
  if (found->second.empty()) calls_.erase(found);
}

OpenCalls::List OpenCalls::on(const UpstreamConnection& connection) const {
  const auto found = calls_.find(&connection);
  return found != calls_.end() ? found->second : List{};
}

bool OpenCalls::any_wanted_on(const UpstreamConnection& connection) const {
  const auto found = calls_.find(&connection);
  return found != calls_.end() && std::ranges::any_of(found->second, [](const auto& one) {
           return !one->client_has_left();
         });
}

std::shared_ptr<ClientCall> OpenCalls::last_on(const UpstreamConnection& connection) const {
  const auto found = calls_.find(&connection);
  if (found == calls_.end()) return nullptr;
  const List& list = found->second;
  const auto last =
      std::find_if(list.rbegin(), list.rend(), [](const auto& one) { return one->is_awaited(); });
  return last != list.rend() ? *last : nullptr;
}

}  // namespace enfold::gateway

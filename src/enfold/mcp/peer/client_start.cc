// SPDX-License-Identifier: Apache-2.0
// How a client finds out what a server speaks: server/discover first; a result or an error that
// only the stateless era knows means stateless, anything else means sessions. And how a connection
// ends: in time, by the transport, or by HTTP.
#include "enfold/mcp/era_2025/client.h"
#include "enfold/mcp/era_2026/client.h"
#include "enfold/mcp/peer/client_peer.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

// Between the first word that a session is over and the end of waiting for what else was asked in
// it: most servers say so at once, or still answer.
constexpr Time kLastAnswers = std::chrono::seconds(2);

template <class... Action>
ClientActions actions(Action... action) {
  ClientActions out;
  (out.emplace_back(std::move(action)), ...);
  return out;
}

Error silence() {
  return {ErrorCode::timed_out,
          "expected an answer of the server in time, found silence",
          {},
          "see whether the server runs and what it writes to its log"};
}

Error from(const RpcError& error) {
  return {
      ErrorCode::unavailable,
      fmt::format("expected a server that answers, found error {}: {}", error.code, error.message),
      {},
      {}};
}

}  // namespace

ClientActions ClientPeer::start(Time now) {
  phase_ = Phase::idle;
  session_.clear();
  over_.reset();
  discovered_twice_ = false;
  probe_.reset();
  discovered_.reset();
  started_at_ = now;
  server_ = {};
  const std::vector<std::string> stateless = of_era(config_.versions, Era::stateless);
  if (config_.eras == ClientConfig::Eras::sessions || stateless.empty()) return initialize(now);
  return discover(now, *std::max_element(stateless.begin(), stateless.end()));
}

ClientActions ClientPeer::discover(Time now, const std::string& version) {
  auto self = std::make_shared<Caller>();
  self->era = Era::stateless;
  self->version = version;
  self->client_info = config_.info;
  self->capabilities = config_.capabilities;
  self_ = std::move(self);
  phase_ = Phase::discovering;
  handshake_id_ = Id(++last_id_);
  const bool probes = may_fall_back() && !config_.over_http;
  handshake_deadline_ = now + (probes ? config_.probe_timeout : config_.startup_timeout);
  CallOptions options;
  options.method = name(Method::discover);
  return actions(Transmit{
      era_2026::write_call(*handshake_id_, options, {self_, std::nullopt, std::nullopt}, {}),
      kHandshakeCall,
      config_.over_http ? era_2026::call_headers(version, options) : std::vector<Header>()});
}

ClientActions ClientPeer::initialize(Time now) {
  phase_ = Phase::initializing;
  server_.era = Era::sessions;
  handshake_id_ = Id(++last_id_);
  handshake_deadline_ = now + config_.startup_timeout;
  return actions(Transmit{era_2025::write_initialize(*handshake_id_, config_), kHandshakeCall, {}});
}

ClientActions ClientPeer::handshake_answered(Outcome outcome, Time now) {
  if (phase_ == Phase::discovering) return discovered(std::move(outcome), now);
  if (!outcome) return refused_session(from(outcome.error()));
  Result<ServerIdentity> server = era_2025::read_initialized(outcome->view(), config_);
  if (!server) return refused_session(server.error());
  ClientActions out = become_ready(std::move(*server));
  // The server must hear this before any call.
  out.insert(out.begin(), plain(write_notification(name(Method::initialized), json::View()),
                                name(Method::initialized), {}));
  return out;
}

ClientActions ClientPeer::discovered(Outcome outcome, Time now) {
  if (outcome) {
    Result<ServerIdentity> server = era_2026::read_discovered(outcome->view(), config_);
    if (server) return become_ready(std::move(*server));
    return fall_back(server.error(), now);
  }
  const RpcError& error = outcome.error();
  if (error.code == code::unsupported_version && error.data && !discovered_twice_) {
    const auto list = error.data->view().find("supported");
    if (const auto version = list ? era_2026::common_version(*list, config_) : std::nullopt) {
      discovered_twice_ = true;
      return discover(now, *version);
    }
  }
  if (error.code == code::header_mismatch || error.code == code::missing_capability) {
    return break_off(from(error));
  }
  return fall_back(from(error), now);
}

bool ClientPeer::may_fall_back() const {
  return config_.eras == ClientConfig::Eras::both &&
         !of_era(config_.versions, Era::sessions).empty();
}

ClientActions ClientPeer::fall_back(const Error& why, Time now) {
  return may_fall_back() ? initialize(now) : break_off(why);
}

// It was slow to say that it knows no sessions.
ClientActions ClientPeer::refused_session(Error why) {
  return discovered_ ? become_ready(std::move(*discovered_)) : break_off(std::move(why));
}

ClientActions ClientPeer::become_ready(ServerIdentity server) {
  if (server.era == Era::stateless && self_->version != server.version) {
    auto self = std::make_shared<Caller>(*self_);
    self->version = server.version;
    self_ = std::move(self);
  }
  server_ = std::move(server);
  handshake_id_.reset();
  phase_ = Phase::ready;
  return actions(Ready{server_});
}

ClientActions ClientPeer::break_off(Error error) {
  ClientActions out = closed(error.message);
  phase_ = Phase::broken;
  out.emplace_back(Broken{std::move(error)});
  return out;
}

ClientActions ClientPeer::closed(std::string_view why) {
  ClientActions out;
  for (const auto& [call, pending] : pending_) {
    out.emplace_back(Lost{call,
                          {ErrorCode::unavailable,
                           fmt::format("the connection ended before the answer: {}", why),
                           {},
                           {}}});
  }
  for (const Ask& ask : asks_) out.emplace_back(ServerRequestWithdrawn{ask.key});
  pending_.clear();
  asks_.clear();
  handshake_id_.reset();
  over_.reset();
  phase_ = Phase::broken;
  return out;
}

ClientActions ClientPeer::refused(std::optional<CallKey> call, int status, std::string_view body,
                                  Time now) {
  const bool is_handshake = handshake_id_ && call == kHandshakeCall;
  const Pending* pending = call && !is_handshake ? find(*call) : nullptr;
  Error error{ErrorCode::unavailable,
              fmt::format("expected an answer, found HTTP status {}", status),
              {},
              {}};
  if (status == 401 || status == 403) error.code = ErrorCode::unauthorized;
  const bool ends_session = status == 404 && !session_.empty() && !is_handshake;
  if (auto read = read_messages(json::Buffer(body)); read && read->messages.size() == 1) {
    if (auto* said = std::get_if<Response>(&read->messages.front()); said && !said->outcome) {
      const bool ours = !ends_session && said->id &&
                        (is_handshake ? *said->id == *handshake_id_
                                      : pending != nullptr && *said->id == pending->id);
      if (ours) return received(std::move(*said), now);
      error.message += fmt::format(": {}", said->outcome.error().message);
    }
  }
  if (is_handshake) {
    // A server that knows nothing of discovery may refuse it in any way; who is not let in, or
    // finds the server down, will not do better with another request.
    const bool foreign = status >= 400 && status < 500 && error.code != ErrorCode::unauthorized;
    if (phase_ == Phase::discovering && foreign) return fall_back(error, now);
    return break_off(std::move(error));
  }
  if (ends_session) {
    error.hint = "the session is over; start again";
    return session_ended(call, std::move(error), now);
  }
  return pending != nullptr ? lose(*call, std::move(error)) : ClientActions();
}

// Calls that were sent at the same time have answers of their own, of which a refusal is the most
// likely: whoever does not wait for it cannot know that they may be sent again.
ClientActions ClientPeer::session_ended(std::optional<CallKey> call, Error error, Time now) {
  const bool waits =
      std::ranges::any_of(pending_, [&](const auto& one) { return one.first != call; });
  if (!waits) return break_off(std::move(error));
  if (!over_) over_ = Over{error, now + kLastAnswers};
  return call && find(*call) != nullptr ? lose(*call, std::move(error)) : ClientActions();
}

ClientActions ClientPeer::stream_ended(CallKey call, std::string_view last_event_id,
                                       std::optional<std::chrono::milliseconds> retry, Time now) {
  const bool is_handshake = handshake_id_ && call == kHandshakeCall;
  const Pending* pending = find(call);
  if (pending == nullptr && !is_handshake) return {};
  if (server_.era == Era::sessions && phase_ == Phase::ready && !last_event_id.empty()) {
    return actions(
        Resume{call, std::string(last_event_id), now + retry.value_or(std::chrono::seconds(1))});
  }
  Error error{ErrorCode::unavailable, "the stream ended before the answer", {}, {}};
  if (is_handshake) return break_off(std::move(error));
  if (pending->waiting != 0) return {};  // the answer was `input_required`; its stream may end
  return lose(call, std::move(error));
}

std::vector<Header> ClientPeer::session_headers() const {
  return era_2025::session_headers(server_.version, session_);
}

std::optional<Time> ClientPeer::deadline_of(const Pending& pending) const {
  std::optional<Time> out;
  // While the user's side is asked something, the server waits as well as we do.
  const bool asking =
      std::any_of(asks_.begin(), asks_.end(), [](const Ask& ask) { return ask.id.has_value(); });
  if (!asking && pending.waiting == 0 && pending.options.idle_timeout.count() > 0) {
    out = pending.silent_since + pending.options.idle_timeout;
  }
  if (pending.options.call_timeout.count() > 0) {
    const Time end = pending.begun + pending.options.call_timeout;
    out = out ? std::min(*out, end) : end;
  }
  return out;
}

ClientActions ClientPeer::tick(Time now) {
  if (over_ && (pending_.empty() || over_->last_answers <= now)) return break_off(over_->why);
  ClientActions out;
  if (handshake_id_ && handshake_deadline_ <= now) append(out, handshake_timed_out(now));
  std::vector<CallKey> late;
  for (const auto& [call, pending] : pending_) {
    const auto deadline = deadline_of(pending);
    if (deadline && *deadline <= now) late.push_back(call);
  }
  for (const CallKey call : late) {
    append(out, cancel(call, "timed out"));
    out.emplace_back(Lost{call, silence()});
  }
  return out;
}

ClientActions ClientPeer::handshake_timed_out(Time now) {
  // Over HTTP every request has an answer, so silence is an outage; over stdio a server may be
  // waiting for `initialize` and ignore everything else.
  if (phase_ != Phase::discovering) return refused_session(silence());
  if (config_.over_http || !may_fall_back()) return break_off(silence());
  probe_ = handshake_id_;
  ClientActions out = initialize(now);
  handshake_deadline_ = started_at_ + config_.startup_timeout;
  return out;
}

std::optional<Time> ClientPeer::next_deadline() const {
  std::optional<Time> next;
  if (handshake_id_) next = handshake_deadline_;
  if (over_) next = pending_.empty() ? Time(0) : over_->last_answers;
  for (const auto& [call, pending] : pending_) {
    const auto deadline = deadline_of(pending);
    if (deadline) next = next ? std::min(*next, *deadline) : *deadline;
  }
  return next;
}

}  // namespace enfold::mcp

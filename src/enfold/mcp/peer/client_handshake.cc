// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/client_handshake.h"

#include "enfold/mcp/era_2025/messages.h"
#include "enfold/mcp/era_2026/messages.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

Error error_of(const RpcError& error) {
  return {
      ErrorCode::unavailable,
      fmt::format("expected a server that answers, found error {}: {}", error.code, error.message),
      {},
      {}};
}

}  // namespace

void ClientWriter::reset() {
  server_ = {};
  self_.reset();
  session_.clear();
}

void ClientWriter::set_server(ServerIdentity server, std::shared_ptr<const Caller> self) {
  server_ = std::move(server);
  self_ = std::move(self);
}

Transmit ClientWriter::call(CallKey key, const OpenCall& call) const {
  const CallOptions& options = call.options;
  std::optional<Id> token;
  if (options.wants_progress) token = Id(static_cast<std::int64_t>(key));
  const bool sessions = server_.era == Era::sessions;
  std::vector<Header> headers;
  if (over_http_) {
    headers = sessions ? session_headers() : era_2026::call_headers(server_.version, options);
    headers.insert(headers.end(), options.headers.begin(), options.headers.end());
  }
  json::Output message =
      sessions ? era_2025::write_call(call.id, options, token)
               : era_2026::write_call(call.id, options,
                                      {caller_for(options), options.log_level, token}, call.inputs);
  return {std::move(message), key, std::move(headers)};
}

std::shared_ptr<const Caller> ClientWriter::caller_for(const CallOptions& options) const {
  if (!options.on_behalf_of) return self_;
  auto caller = std::make_shared<Caller>(*options.on_behalf_of);
  caller->era = Era::stateless;
  caller->version = server_.version;
  return caller;
}

Transmit ClientWriter::notification(json::Output message, std::string_view method,
                                    json::View params) const {
  std::vector<Header> headers;
  if (over_http_) {
    headers = server_.era == Era::sessions ? session_headers()
                                           : standard_headers(server_.version, method, params);
  }
  return {std::move(message), std::nullopt, std::move(headers)};
}

Transmit ClientWriter::response(json::Output message) const {
  return notification(std::move(message), /*method=*/{});
}

std::vector<Header> ClientWriter::session_headers() const {
  return era_2025::session_headers(server_.version, session_);
}

Error no_answer_in_time() {
  return {ErrorCode::timed_out,
          "expected an answer of the server in time, found silence",
          {},
          "see whether the server runs and what it writes to its log"};
}

ClientHandshake::Step ClientHandshake::start(Time now) {
  has_repeated_discovery_ = false;
  late_discovery_.reset();
  discovered_.reset();
  started_at_ = now;
  const std::vector<std::string> stateless = versions_of_era(config_.versions, Era::stateless);
  if (config_.eras == ClientConfig::Eras::sessions || stateless.empty()) return initialize(now);
  return discover(*std::ranges::max_element(stateless), now);
}

ClientHandshake::Step ClientHandshake::discover(const std::string& version, Time now) {
  auto self = std::make_shared<Caller>();
  self->era = Era::stateless;
  self->version = version;
  self->client_info = config_.info;
  self->capabilities = config_.capabilities;
  self_ = std::move(self);
  is_discovering_ = true;
  id_ = writer_.next_id();
  // Whether `initialize` follows if there is no answer: then the wait is short.
  const bool is_probe = may_fall_back() && !config_.over_http;
  deadline_ = now + (is_probe ? config_.probe_timeout : config_.startup_timeout);
  CallOptions options;
  options.method = name(Method::discover);
  return Transmit{
      era_2026::write_call(*id_, options, {.caller = self_}, /*inputs=*/{}), kHandshakeCall,
      config_.over_http ? era_2026::call_headers(version, options) : std::vector<Header>()};
}

ClientHandshake::Step ClientHandshake::initialize(Time now) {
  is_discovering_ = false;
  id_ = writer_.next_id();
  deadline_ = now + config_.startup_timeout;
  return Transmit{era_2025::write_initialize(*id_, config_), kHandshakeCall, {}};
}

ClientHandshake::Step ClientHandshake::receive(const Id& id, ResultOrError outcome, Time now) {
  if (!is_open()) return {};
  if (id == *id_) {
    return is_discovering_ ? on_discover_response(std::move(outcome), now)
                           : on_initialize_response(outcome);
  }
  if (id == late_discovery_ && outcome) {
    if (auto server = era_2026::read_discover_result(outcome->view(), config_)) {
      discovered_ = std::move(*server);
    }
  }
  return {};
}

ClientHandshake::Step ClientHandshake::on_initialize_response(const ResultOrError& outcome) {
  if (!outcome) return on_initialize_failure(error_of(outcome.error()));
  Result<ServerIdentity> server = era_2025::read_initialize_result(outcome->view(), config_);
  return server ? finish(std::move(*server)) : on_initialize_failure(server.error());
}

ClientHandshake::Step ClientHandshake::on_discover_response(ResultOrError outcome, Time now) {
  if (outcome) {
    Result<ServerIdentity> server = era_2026::read_discover_result(outcome->view(), config_);
    return server ? finish(std::move(*server)) : fall_back_to_session(server.error(), now);
  }
  const RpcError& error = outcome.error();
  if (error.code == code::unsupported_version && error.data && !has_repeated_discovery_) {
    const auto list = error.data->view().find("supported");
    if (const auto version = list ? era_2026::common_version(*list, config_) : std::nullopt) {
      has_repeated_discovery_ = true;
      return discover(*version, now);
    }
  }
  if (error.code == code::header_mismatch || error.code == code::missing_capability) {
    return error_of(error);
  }
  return fall_back_to_session(error_of(error), now);
}

ClientHandshake::Step ClientHandshake::receive_refusal(int status, Error error, Time now) {
  // A server that does not know server/discover may refuse it with any client error. If the server
  // refuses the client itself, or is down, `initialize` would fail as well.
  const bool may_be_unknown_method =
      status >= 400 && status < 500 && error.code != ErrorCode::unauthorized;
  if (is_discovering_ && may_be_unknown_method) return fall_back_to_session(std::move(error), now);
  return error;
}

ClientHandshake::Step ClientHandshake::tick(Time now) {
  if (!is_open() || now < deadline_) return {};
  // Over HTTP every request gets a response, so a timeout is an outage; over stdio a server may
  // ignore everything before `initialize`.
  if (!is_discovering_) return on_initialize_failure(no_answer_in_time());
  if (config_.over_http || !may_fall_back()) return no_answer_in_time();
  late_discovery_ = id_;
  Step step = initialize(now);
  deadline_ = started_at_ + config_.startup_timeout;
  return step;
}

bool ClientHandshake::may_fall_back() const {
  return config_.eras == ClientConfig::Eras::both && has_era(config_.versions, Era::sessions);
}

ClientHandshake::Step ClientHandshake::fall_back_to_session(Error why, Time now) {
  return may_fall_back() ? initialize(now) : Step(std::move(why));
}

// A stateless server may have answered the discovery late, and then refused `initialize`.
ClientHandshake::Step ClientHandshake::on_initialize_failure(Error why) {
  return discovered_ ? finish(std::move(*discovered_)) : Step(std::move(why));
}

ClientHandshake::Step ClientHandshake::finish(ServerIdentity server) {
  // Calls name the revision that was agreed on; server/discover may have named another.
  if (server.era == Era::stateless && self_->version != server.version) {
    auto self = std::make_shared<Caller>(*self_);
    self->version = server.version;
    self_ = std::move(self);
  }
  stop();
  return server;
}

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/client_calls.h"

#include "enfold/mcp/era_2025/messages.h"
#include "enfold/mcp/era_2026/messages.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

bool has_idle_timeout(const OpenCall& call) {
  return call.missing_inputs == 0 && call.options.idle_timeout.count() > 0;
}

}  // namespace

const OpenCall& OpenCalls::add(CallKey key, Id id, CallOptions options, Time now) {
  remove(key);
  const OpenCall& call =
      calls_.emplace(key, OpenCall{std::move(id), std::move(options), now, now, {}}).first->second;
  ids_.emplace(call.id, key);
  if (call.options.call_timeout.count() > 0) {
    call_deadlines_.emplace(now + call.options.call_timeout, key);
  }
  schedule_idle(key, call);
  return call;
}

void OpenCalls::remove(CallKey key) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return;
  const OpenCall& call = found->second;
  unschedule_idle(key, call);
  call_deadlines_.erase({call.started + call.options.call_timeout, key});
  ids_.erase(call.id);
  calls_.erase(found);
}

void OpenCalls::clear() {
  calls_.clear();
  ids_.clear();
  idle_deadlines_.clear();
  call_deadlines_.clear();
}

const OpenCall* OpenCalls::find(CallKey key) const {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : &found->second;
}

std::optional<CallKey> OpenCalls::with_id(const Id& id) const {
  const auto found = ids_.find(id);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CallKey> OpenCalls::awaiting(const Id& id) const {
  const std::optional<CallKey> key = with_id(id);
  return key && calls_.at(*key).missing_inputs == 0 ? key : std::nullopt;
}

std::vector<CallKey> OpenCalls::keys() const {
  std::vector<CallKey> out;
  out.reserve(calls_.size());
  for (const auto& [key, call] : calls_) out.push_back(key);
  return out;
}

void OpenCalls::touch(CallKey key, Time now) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  call.last_activity = now;
  schedule_idle(key, call);
}

void OpenCalls::touch_all(Time now) {
  for (const auto& [key, call] : calls_) touch(key, now);
}

void OpenCalls::require_inputs(CallKey key, std::size_t number, std::optional<std::string> state,
                               Time now) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  ++call.rounds;
  call.inputs = {{}, std::move(state)};
  call.missing_inputs = number;
  call.last_activity = now;
  schedule_idle(key, call);
}

void OpenCalls::add_input(CallKey key, std::string input, json::Value response) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  call.inputs.responses.push_back({std::move(input), std::move(response)});
  --call.missing_inputs;
  schedule_idle(key, call);
}

const OpenCall& OpenCalls::start_round(CallKey key, Id id, Time now) {
  OpenCall& call = calls_.at(key);
  ids_.erase(call.id);
  call.id = std::move(id);
  ids_.emplace(call.id, key);
  touch(key, now);
  return call;
}

std::optional<Time> OpenCalls::next_deadline(Timeouts which) const {
  std::optional<Time> next;
  if (!call_deadlines_.empty()) next = call_deadlines_.begin()->first;
  if (which == Timeouts::all && !idle_deadlines_.empty()) {
    const Time idle = idle_deadlines_.begin()->first;
    next = next ? std::min(*next, idle) : idle;
  }
  return next;
}

std::vector<CallKey> OpenCalls::late(Time now, Timeouts which) const {
  std::vector<CallKey> out;
  const auto take = [&](const Deadlines& deadlines) {
    for (auto each = deadlines.begin(); each != deadlines.end() && each->first <= now; ++each) {
      out.push_back(each->second);
    }
  };
  take(call_deadlines_);
  if (which == Timeouts::all) take(idle_deadlines_);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

void OpenCalls::schedule_idle(CallKey key, const OpenCall& call) {
  if (!has_idle_timeout(call)) return;
  idle_deadlines_.emplace(call.last_activity + call.options.idle_timeout, key);
}

void OpenCalls::unschedule_idle(CallKey key, const OpenCall& call) {
  idle_deadlines_.erase({call.last_activity + call.options.idle_timeout, key});
}

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
  return notification(std::move(message), {});
}

std::vector<Header> ClientWriter::session_headers() const {
  return era_2025::session_headers(server_.version, session_);
}

ClientActions ServerRequests::receive(Request request, std::optional<CallKey> about) {
  // From 2026-07-28 on servers send no requests, and a client must not answer one.
  if (writer_.server().era == Era::stateless) return {};
  const auto refuse = [&](const RpcError& error) {
    return client_actions(writer_.response(write_response(request.id, error)));
  };
  const Method method = method_from_name(request.method);
  if (method == Method::ping) {
    return client_actions(
        writer_.response(write_response(request.id, WriteMembers([](json::Writer&) {}))));
  }
  InputRequest input{text_of(request.id), std::move(request.method), std::move(request.params)};
  const bool is_accepted = is_server_request(method)
                               ? missing_for(input, config_.capabilities)->is_null()
                               : config_.relay_unknown_requests;
  if (!is_accepted) return refuse(method_not_found(input.method));
  if (open_.size() >= config_.max_open_calls) {
    return refuse(too_many_requests(config_.max_open_calls));
  }
  return client_actions(add(std::move(request.id), about, std::move(input)));
}

Result<ClientActions> ServerRequests::require_input(CallKey key, json::View result, Time now) {
  const auto violation = [](std::string message) {
    return fail(ErrorCode::protocol_violation, std::move(message), "/result");
  };
  ENFOLD_TRY(InputRequired required, read_input_required(result));
  const OpenCall& call = *calls_.find(key);
  if (!info(method_from_name(call.options.method)).may_ask) {
    return violation(fmt::format("expected a result for {}, found one that requires input",
                                 call.options.method));
  }
  if (call.rounds >= config_.max_rounds) {
    return violation(
        fmt::format("expected an answer after {} rounds of input", config_.max_rounds));
  }
  const Capabilities& declared =
      call.options.on_behalf_of ? call.options.on_behalf_of->capabilities : config_.capabilities;
  for (const InputRequest& request : required.requests) {
    const bool is_declared = is_server_request(method_from_name(request.method)) &&
                             missing_for(request, declared)->is_null();
    if (is_declared) continue;
    return violation(fmt::format("expected only requests that this client declares, found {}",
                                 json::quote(request.method)));
  }
  calls_.require_inputs(key, required.requests.size(), std::move(required.state), now);
  if (required.requests.empty()) {
    return client_actions(writer_.call(key, calls_.start_round(key, writer_.next_id(), now)));
  }
  ClientActions out;
  for (InputRequest& request : required.requests) {
    out.push_back(add(std::nullopt, key, std::move(request)));
  }
  return out;
}

tl::expected<ClientActions, LossReport> ServerRequests::answer(ServerRequestKey key,
                                                               Outcome outcome, Time now) {
  const auto found = std::ranges::find(open_, key, &OpenRequest::key);
  if (found == open_.end()) return {};
  const OpenRequest request = remove(found);
  if (request.id) {
    calls_.touch_all(now);
    return client_actions(writer_.response(outcome ? write_response(*request.id, outcome->view())
                                                   : write_response(request.id, outcome.error())));
  }
  const CallKey call = *request.call;
  if (!calls_.contains(call)) return {};
  if (!outcome) {
    return tl::unexpected(
        LossReport{call,
                   {ErrorCode::cancelled,
                    fmt::format("the input {} was not given: {}", json::quote(request.input),
                                outcome.error().message),
                    {},
                    {}}});
  }
  calls_.add_input(call, request.input, std::move(*outcome));
  if (calls_.find(call)->missing_inputs > 0) return {};
  return client_actions(writer_.call(call, calls_.start_round(call, writer_.next_id(), now)));
}

ClientActions ServerRequests::cancelled(const Id& id) {
  const auto found = std::ranges::find(open_, id, &OpenRequest::id);
  if (found == open_.end()) return {};
  return client_actions(ServerRequestWithdrawn{remove(found).key});
}

ClientActions ServerRequests::withdraw_inputs(CallKey key) {
  ClientActions out;
  std::erase_if(open_, [&](const OpenRequest& open) {
    if (open.call != key || open.id) return false;
    out.emplace_back(ServerRequestWithdrawn{open.key});
    return true;
  });
  return out;
}

ClientActions ServerRequests::withdraw_all() {
  ClientActions out;
  for (const OpenRequest& open : open_) out.emplace_back(ServerRequestWithdrawn{open.key});
  open_.clear();
  open_in_session_ = 0;
  return out;
}

ClientAction ServerRequests::add(std::optional<Id> id, std::optional<CallKey> call,
                                 InputRequest request) {
  const auto key = static_cast<ServerRequestKey>(++last_key_);
  if (id) ++open_in_session_;
  open_.push_back({key, std::move(id), call, request.key});
  return ServerRequest{key, call, std::move(request)};
}

ServerRequests::OpenRequest ServerRequests::remove(std::vector<OpenRequest>::iterator open) {
  OpenRequest removed = std::move(*open);
  open_.erase(open);
  if (removed.id) --open_in_session_;
  return removed;
}

}  // namespace enfold::mcp

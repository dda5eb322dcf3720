// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2025/server.h"

#include "enfold/json/document.h"
#include "enfold/mcp/era_2025/messages.h"

#include <fmt/core.h>
#include <utility>

namespace enfold::mcp::era_2025 {
namespace {

/// The answer to a request. Over HTTP the status is always 200.
ServerActions answer(json::Output message, CallKey key) {
  return actions(Send{.message = std::move(message), .about = key, .last = true});
}

ServerActions refuse(const Request& request, CallKey key, const RpcError& error) {
  return answer(write_response(request.id, error), key);
}

// Removes and returns the first request that matches; nullopt: none does.
template <class Matches>
std::optional<SentRequest> take_first(std::vector<SentRequest>& open, Matches matches) {
  const auto found = std::ranges::find_if(open, matches);
  if (found == open.end()) return std::nullopt;
  std::optional<SentRequest> taken = std::move(*found);
  open.erase(found);
  return taken;
}

// Removes the requests that match; the actions tell the client that it need not answer them.
template <class Matches>
ServerActions withdraw_each(std::vector<SentRequest>& open, std::string_view reason,
                            Matches matches) {
  ServerActions out;
  std::erase_if(open, [&](const SentRequest& request) {
    if (!matches(request)) return false;
    out.emplace_back(Send{write_cancelled(request.id, reason), request.about});
    return true;
  });
  return out;
}

// The refusal of resources/subscribe; nullopt: it is accepted. Resources that are being subscribed
// to count too, so that the limit holds when all calls are answered.
std::optional<RpcError> check_subscription(const Call& call,
                                           const std::vector<std::string>& subscribed,
                                           const SessionCalls& calls, const ServerConfig& config) {
  const auto uri_of = [](const Call& one) -> const std::string& {
    return std::get_if<ResourceSubscription>(&one.params)->uri;
  };
  std::vector<std::string_view> uris(subscribed.begin(), subscribed.end());
  for (const auto& [key, open] : calls.all()) {
    if (open.call.method == Method::resources_subscribe) uris.emplace_back(uri_of(open.call));
  }
  std::erase(uris, uri_of(call));
  uris.emplace_back(uri_of(call));
  return check_subscriptions(uris, "resources", config.max_subscribed_resources);
}

std::string cannot_ask(const InputRequest& request, const json::Value& missing) {
  return fmt::format("Cannot ask for {} ({}): the client does not declare {}",
                     json::quote(request.key), request.method, json::to_text(missing.view()));
}

}  // namespace

Send SentRequests::add(std::optional<ServerRequestKey> key, std::optional<CallKey> about,
                       const InputRequest& request, Time deadline) {
  const Id id(++last_id_);
  open_.push_back({id, key, about, request.key, deadline});
  return {write_request(id, request.method, request.params.view()), about};
}

std::optional<SentRequest> SentRequests::take(const Id& id) {
  return take_first(open_, [&](const SentRequest& request) { return request.id == id; });
}

std::optional<SentRequest> SentRequests::take_late(Time now) {
  return take_first(open_, [&](const SentRequest& request) { return request.deadline <= now; });
}

ServerActions SentRequests::withdraw(ServerRequestKey key, std::string_view reason) {
  return withdraw_each(open_, reason,
                       [&](const SentRequest& request) { return request.key == key; });
}

ServerActions SentRequests::withdraw_inputs(CallKey call, std::string_view reason) {
  return withdraw_each(open_, reason, [&](const SentRequest& request) {
    return request.about == call && !request.key;
  });
}

ServerActions SentRequests::fail_all(std::string_view reason) {
  ServerActions out;
  for (const SentRequest& request : std::exchange(open_, {})) {
    if (!request.key) continue;
    out.emplace_back(
        ClientResponse{*request.key, tl::unexpected(internal_error(std::string(reason)))});
  }
  return out;
}

void SessionCalls::add(Call call) {
  ids_.emplace(call.id, call.key);
  const CallKey key = call.key;
  calls_[key].call = std::move(call);
}

void SessionCalls::remove(CallKey key) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return;
  ids_.erase(found->second.call.id);
  calls_.erase(found);
}

void SessionCalls::clear() {
  calls_.clear();
  ids_.clear();
}

SessionCall* SessionCalls::find(CallKey key) {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : &found->second;
}

std::optional<CallKey> SessionCalls::with_id(const Id& id) const {
  const auto found = ids_.find(id);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

ServerActions Server::receive(Request request, CallKey key) {
  const Method method = method_from_name(request.method);
  if (method == Method::ping) return answer(write_complete(request.id, empty_result()), key);
  if (method == Method::initialize) return initialize(request, key);
  if (!is_initialized()) {
    return refuse(request, key,
                  invalid_request(fmt::format("Not initialized: expected initialize, found {}",
                                              request.method)));
  }
  if (!is_offered(method, Era::sessions, *config_)) {
    return refuse(request, key, method_not_found(request.method));
  }
  if (calls_.with_id(request.id)) return refuse(request, key, id_in_use(request.id));
  if (calls_.size() >= config_->max_open_calls) {
    return refuse(request, key, too_many_requests(config_->max_open_calls));
  }
  if (method == Method::set_level) return set_level(request, key);
  return report_call(std::move(request), key);
}

ServerActions Server::initialize(const Request& request, CallKey key) {
  if (is_initialized()) {
    return refuse(request, key,
                  invalid_request("Expected one initialize for a session, found two"));
  }
  const json::View params = request.params.view();
  const auto requested = json::string_member(params, "protocolVersion");
  if (!requested) {
    return refuse(request, key,
                  invalid_params("Invalid params: expected a string as protocolVersion"));
  }
  std::string version = negotiate_session_version(*requested, config_->versions);
  if (version.empty()) {
    return refuse(request, key, unsupported_version(*requested, config_->versions));
  }
  const auto info = object_member(params, "clientInfo");
  const auto capabilities = object_member(params, "capabilities");
  const json::View none;
  if (const auto error = check_declared(info.value_or(none), capabilities.value_or(none))) {
    return refuse(request, key, *error);
  }
  Caller caller;
  caller.era = Era::sessions;
  caller.version = version;
  if (info) caller.client_info = json::Value(*info);
  if (capabilities) caller.capabilities = Capabilities(json::Value(*capabilities));
  caller_ = without_message(caller);
  version_ = std::move(version);
  return actions(Send{.message = write_initialize_result(request.id, version_, *config_),
                      .about = key,
                      .last = true},
                 SessionStart{caller_});
}

ServerActions Server::set_level(const Request& request, CallKey key) {
  const auto name = json::string_member(request.params.view(), "level");
  const auto level = log_level_from_name(name.value_or(""));
  if (!level) {
    return refuse(request, key, invalid_params("Invalid params: expected a log level as level"));
  }
  log_level_ = level;
  return actions(
      Send{.message = write_complete(request.id, empty_result()), .about = key, .last = true},
      LogLevelChange{*level});
}

ServerActions Server::report_call(Request request, CallKey key) {
  auto call = read_call(request, key, caller_);
  if (!call) return refuse(request, key, call.error());
  if (call->method == Method::resources_subscribe) {
    const auto error = check_subscription(*call, subscribed_, calls_, *config_);
    if (error) return answer(write_response(call->id, *error), key);
  }
  calls_.add(*call);
  return actions(std::move(*call));
}

ServerActions Server::receive(Notification notification) {
  switch (method_from_name(notification.method)) {
    case Method::initialized:
      if (!is_initialized() || std::exchange(ready_, true)) return {};
      return actions(SessionReady{caller_});
    case Method::cancelled: return cancel(notification);
    default: return actions(ClientNotification{std::move(notification)});
  }
}

ServerActions Server::cancel(const Notification& notification) {
  const auto id = id_member(notification.params.view(), "requestId");
  const std::optional<CallKey> key = id ? calls_.with_id(*id) : std::nullopt;
  if (!key) return {};  // the call was answered before its cancellation arrived
  calls_.remove(*key);
  ServerActions out = requests_.withdraw_inputs(*key, "the call was cancelled");
  out.emplace_back(
      Cancellation{*key, json::string_member(notification.params.view(), "reason").value_or("")});
  return out;
}

ServerActions Server::receive(Response response) {
  const auto request = response.id ? requests_.take(*response.id) : std::nullopt;
  return request ? on_answer(*request, std::move(response.outcome)) : ServerActions();
}

ServerActions Server::reply(CallKey call, Reply reply, Time now) {
  SessionCall* const open = calls_.find(call);
  if (open == nullptr) return {};
  if (const auto* required = std::get_if<InputRequired>(&reply)) {
    return require_input(*open, *required, now);
  }
  const Id& id = open->call.id;
  if (const auto* error = std::get_if<RpcError>(&reply)) {
    return finish(call, write_response(id, *error));
  }
  update_subscriptions(open->call);
  if (auto* complete = std::get_if<CompleteResult>(&reply)) {
    return finish(call, write_complete(id, std::move(*complete)));
  }
  return finish(call,
                write_upstream_result(id, open->call.method, std::get<UpstreamResult>(reply)));
}

ServerActions Server::finish(CallKey call, json::Output message) {
  calls_.remove(call);
  ServerActions out = requests_.withdraw_inputs(call, "the call has ended");
  out.emplace_back(Send{.message = std::move(message), .about = call, .last = true});
  return out;
}

// A subscription begins when the successful result of resources/subscribe is sent.
void Server::update_subscriptions(const Call& call) {
  const auto* subscription = std::get_if<ResourceSubscription>(&call.params);
  if (subscription == nullptr) return;
  std::erase(subscribed_, subscription->uri);
  if (call.method == Method::resources_subscribe) subscribed_.push_back(subscription->uri);
}

ServerActions Server::progress(CallKey call, const Progress& progress) {
  SessionCall* const open = calls_.find(call);
  if (open == nullptr || !open->call.progress_token) return {};
  if (open->progress && progress.progress <= *open->progress) return {};
  open->progress = progress.progress;
  return actions(Send{write_progress(*open->call.progress_token, progress), call});
}

ServerActions Server::log(std::optional<CallKey> call, const LogMessage& message) const {
  if (!ready_ || !config_->capabilities.has("logging") || (call && !calls_.contains(*call)))
    return {};
  if (log_level_ && message.level < *log_level_) return {};
  return actions(Send{write_log_message(message), call});
}

ServerActions Server::notify(std::optional<CallKey> call, std::string_view method,
                             json::View params) const {
  if (!ready_ || (call && !calls_.contains(*call))) return {};
  return actions(Send{write_notification(method, params), call});
}

ServerActions Server::list_changed(ListKind kind) const {
  if (!ready_ || !config_->capabilities.has(capability_of(kind), "listChanged")) return {};
  return actions(Send{write_list_changed(kind, std::nullopt), std::nullopt});
}

ServerActions Server::resource_updated(std::string_view uri) const {
  if (std::ranges::find(subscribed_, uri) == subscribed_.end()) return {};
  return actions(Send{write_resource_updated(uri, std::nullopt), std::nullopt});
}

ServerActions Server::require_input(SessionCall& open, const InputRequired& required, Time now) {
  const CallKey key = open.call.key;
  if (++open.rounds > config_->max_rounds) {
    return finish(key, write_response(open.call.id, internal_error(fmt::format(
                                                        "Expected an answer after {} questions",
                                                        config_->max_rounds))));
  }
  for (const InputRequest& request : required.requests) {
    const json::Value missing = missing_capabilities(request, caller_->capabilities);
    if (!missing->is_null()) {
      return finish(key,
                    write_response(open.call.id, invalid_request(cannot_ask(request, missing))));
    }
  }
  open.call.inputs = {{}, required.state};
  open.missing_answers = required.requests.size();
  // Without input requests the application only wants the call to be repeated with its state.
  if (required.requests.empty()) return actions(open.call);
  ServerActions out;
  for (const InputRequest& request : required.requests) {
    out.emplace_back(requests_.add(std::nullopt, key, request, now + config_->ask_timeout));
  }
  return out;
}

ServerActions Server::on_answer(const SentRequest& request, ResultOrError outcome) {
  if (request.key) return actions(ClientResponse{*request.key, std::move(outcome)});
  SessionCall* const open = request.about ? calls_.find(*request.about) : nullptr;
  if (open == nullptr) return {};
  if (!outcome) {
    RpcError error = std::move(outcome.error());
    error.message =
        fmt::format("The client did not answer {}: {}", json::quote(request.input), error.message);
    return finish(*request.about, write_response(open->call.id, error));
  }
  open->call.inputs.responses.push_back({request.input, std::move(*outcome)});
  return --open->missing_answers == 0 ? actions(open->call) : ServerActions();
}

Result<ServerActions> Server::ask(ServerRequestKey key, std::optional<CallKey> about,
                                  const InputRequest& request, Time now) {
  if (!ready_) {
    return fail(ErrorCode::unavailable, "expected a session that has finished its handshake", {},
                "wait for `initialized`");
  }
  if (about && !calls_.contains(*about)) {
    return fail(ErrorCode::cancelled, "expected an open call to ask about, found none");
  }
  const json::Value missing = missing_capabilities(request, caller_->capabilities);
  if (!missing->is_null()) return fail(ErrorCode::unsupported, cannot_ask(request, missing));
  if (requests_.size() >= config_->max_open_calls) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} open questions", config_->max_open_calls));
  }
  return actions(requests_.add(key, about, request, now + config_->ask_timeout));
}

ServerActions Server::tick(Time now) {
  ServerActions out;
  while (const std::optional<SentRequest> late = requests_.take_late(now)) {
    out.emplace_back(Send{write_cancelled(late->id, "timed out"), late->about});
    append(out, on_answer(*late, tl::unexpected(internal_error("no answer in time"))));
  }
  return out;
}

ServerActions Server::closed(std::string_view reason) {
  ServerActions out;
  for (const auto& [key, open] : calls_.all()) {
    out.emplace_back(Cancellation{key, std::string(reason)});
  }
  calls_.clear();
  append(out, requests_.fail_all(reason));
  return out;
}

}  // namespace enfold::mcp::era_2025

// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2025/server.h"

#include "enfold/json/document.h"
#include "enfold/mcp/era_2025/results.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp::era_2025 {
namespace {

template <class... Action>
ServerActions actions(Action&&... action) {
  ServerActions out;
  out.reserve(sizeof...(action));
  (out.emplace_back(std::forward<Action>(action)), ...);
  return out;
}

Send refusal(const Id& id, CallKey key, const RpcError& error) {
  return {write_response(id, error), key, true, 200};
}

Send empty_result(const Id& id, CallKey key) {
  return {write_complete(id, nothing()), key, true, 200};
}

}  // namespace

ServerActions Server::receive(Request request, CallKey key) {
  const Method method = method_from_name(request.method);
  if (method == Method::ping) return actions(empty_result(request.id, key));
  if (method == Method::initialize) {
    ServerActions out = initialize(request);
    std::get<Send>(out.front()).about = key;
    return out;
  }
  if (!is_open()) {
    return actions(refusal(request.id, key,
                           invalid_request(fmt::format(
                               "Not initialized: expected initialize, found {}", request.method))));
  }
  if (!is_offered(method, Era::sessions, *config_)) {
    return actions(refusal(request.id, key, method_not_found(request.method)));
  }
  if (calls_.with_id(request.id)) {
    return actions(
        refusal(request.id, key,
                invalid_request(fmt::format("Expected an id that is not in use, found {}",
                                            text_of(request.id)))));
  }
  if (calls_.size() >= config_->max_open_calls) {
    return actions(
        refusal(request.id, key,
                {code::internal_error,
                 fmt::format("Too many open requests: at most {}", config_->max_open_calls),
                 {}}));
  }
  if (method == Method::set_level) {
    ServerActions out = set_level(request);
    std::get<Send>(out.front()).about = key;
    return out;
  }
  return begin(std::move(request), key);
}

ServerActions Server::initialize(const Request& request) {
  const auto refuse = [&](const RpcError& error) {
    return actions(Send{write_response(request.id, error), std::nullopt, true, 200});
  };
  if (is_open()) return refuse(invalid_request("Expected one initialize for a session, found two"));
  const json::View params = request.params.view();
  const auto requested = json::string_member(params, "protocolVersion");
  if (!requested) {
    return refuse(invalid_params("Invalid params: expected a string as protocolVersion"));
  }
  std::string version = negotiate_session(*requested, config_->versions);
  if (version.empty()) return refuse(unsupported_version(*requested, config_->versions));
  auto caller = std::make_shared<Caller>();
  caller->era = Era::sessions;
  caller->version = version;
  if (const auto info = object_member(params, "clientInfo"))
    caller->client_info = json::Value(*info);
  if (const auto capabilities = object_member(params, "capabilities")) {
    caller->capabilities = Capabilities(json::Value(*capabilities));
  }
  caller_ = std::move(caller);
  version_ = std::move(version);
  return actions(Send{write_initialized(request.id, version_, *config_), std::nullopt, true, 200});
}

ServerActions Server::set_level(const Request& request) {
  const auto name = json::string_member(request.params.view(), "level");
  const auto level = log_level_from_name(name.value_or(""));
  if (!level) {
    return actions(Send{write_response(request.id, invalid_params("Invalid params: expected a log "
                                                                  "level as level")),
                        std::nullopt, true, 200});
  }
  level_ = level;
  return actions(Send{write_complete(request.id, nothing()), std::nullopt, true, 200},
                 LogLevelSet{*level});
}

ServerActions Server::begin(Request request, CallKey key) {
  const Method method = method_from_name(request.method);
  auto params = read_call_params(method, request.params.view());
  if (!params) return actions(refusal(request.id, key, params.error()));
  Call call;
  call.method = method;
  call.key = key;
  call.id = std::move(request.id);
  call.method_name = std::move(request.method);
  call.params = std::move(*params);
  call.raw_params = std::move(request.params);
  call.caller = caller_;
  call.progress_token = read_progress_token(call.raw_params.view());
  calls_.add(call);
  return actions(std::move(call));
}

ServerActions Server::receive(Notification notification) {
  switch (method_from_name(notification.method)) {
    case Method::initialized:
      if (!is_open() || ready_) return {};
      ready_ = true;
      return actions(SessionOpened{caller_});
    case Method::cancelled: return cancel(notification);
    default: return actions(ClientNotification{std::move(notification)});
  }
}

ServerActions Server::cancel(const Notification& notification) {
  const auto named = notification.params->find("requestId");
  const auto id = named ? read_id(*named) : std::nullopt;
  const std::optional<CallKey> key = id ? calls_.with_id(*id) : std::nullopt;
  // It may have been answered already: both were on their way.
  if (!key) return {};
  calls_.remove(*key);
  ServerActions out = questions_.withdraw_inputs(*key, "the call was cancelled");
  out.emplace_back(
      Cancelled{*key, json::string_member(notification.params.view(), "reason").value_or("")});
  return out;
}

ServerActions Server::receive(Response response) {
  const auto question = response.id ? questions_.take(*response.id) : std::nullopt;
  return question ? answered(*question, std::move(response.outcome)) : ServerActions();
}

ServerActions Server::reply(CallKey call, Reply reply, Time now) {
  SessionCall* const open = calls_.find(call);
  if (open == nullptr) return {};
  if (const auto* required = std::get_if<InputRequired>(&reply)) {
    return require_input(*open, *required, now);
  }
  const Id& id = open->call.id;
  if (auto* own = std::get_if<Complete>(&reply)) {
    note_watch(open->call);
    return finish(call, write_complete(id, std::move(*own)));
  }
  if (const auto* relayed = std::get_if<Relayed>(&reply)) {
    note_watch(open->call);
    return finish(call, write_relayed(id, open->call.method, *relayed));
  }
  return finish(call,
                write_response(id, for_era(std::get<RpcError>(std::move(reply)), Era::sessions)));
}

ServerActions Server::finish(CallKey call, json::Output message) {
  calls_.remove(call);
  ServerActions out = questions_.withdraw_inputs(call, "the call has ended");
  out.emplace_back(Send{std::move(message), call, true, 200});
  return out;
}

// A subscription counts from the moment its success is sent.
void Server::note_watch(const Call& call) {
  const auto* watch = std::get_if<ResourceWatch>(&call.params);
  if (watch == nullptr) return;
  std::erase(watched_, watch->uri);
  if (call.method != Method::resources_subscribe) return;
  if (watched_.size() >= config_->max_watched) watched_.erase(watched_.begin());
  watched_.push_back(watch->uri);
}

ServerActions Server::progress(CallKey call, const Progress& progress) {
  SessionCall* const open = calls_.find(call);
  if (open == nullptr || !open->call.progress_token) return {};
  if (open->progress && progress.progress <= *open->progress) return {};
  open->progress = progress.progress;
  return actions(Send{write_progress(*open->call.progress_token, progress), call, false, 200});
}

ServerActions Server::log(std::optional<CallKey> call, const LogMessage& message) const {
  if (!ready_ || !config_->capabilities.has("logging") || (call && !calls_.contains(*call)))
    return {};
  if (level_ && message.level < *level_) return {};
  return actions(Send{write_log_message(message), call, false, 200});
}

ServerActions Server::notify(std::optional<CallKey> call, std::string_view method,
                             json::View params) const {
  if (!ready_ || (call && !calls_.contains(*call))) return {};
  return actions(Send{write_notification(method, params), call, false, 200});
}

ServerActions Server::list_changed(ListKind kind) const {
  if (!ready_ || !config_->capabilities.has(capability_of(kind), "listChanged")) return {};
  return actions(Send{write_list_changed(kind, std::nullopt), std::nullopt, false, 200});
}

ServerActions Server::resource_updated(std::string_view uri) const {
  if (std::find(watched_.begin(), watched_.end(), uri) == watched_.end()) return {};
  return actions(Send{write_resource_updated(uri, std::nullopt), std::nullopt, false, 200});
}

}  // namespace enfold::mcp::era_2025

// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2026/server.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"

#include <fmt/core.h>

namespace enfold::mcp::era_2026 {
namespace {

/// The last message for the call `key`.
Send answer_to(CallKey key, json::Output message) {
  return {.message = std::move(message), .about = key, .last = true};
}

/// `status` nullopt: the HTTP status that belongs to the error code.
Send refusal(const Id& id, CallKey key, const RpcError& error, std::optional<int> status = {}) {
  return {.message = write_response(id, error),
          .about = key,
          .last = true,
          .status = status ? *status : http_status(error.code)};
}

// Adds the id of the subscription to `_meta`, in place of one that is there.
json::Value with_subscription(json::View params, const Id& id) {
  json::Writer writer;
  Overlay()
      .member("_meta",
              [&](json::Writer& out) {
                Overlay()
                    .member(meta::subscription_id, [&](json::Writer& one) { write_id(one, id); })
                    .write(out, object_member(params, "_meta").value_or(json::View()));
              })
      .write(writer, params);
  return std::move(writer).finish_value();
}

}  // namespace

ServerActions Server::receive(Request request, CallKey key,
                              const std::optional<HeaderFields>& fields) {
  auto meta = read_request_meta(request.params.view());
  if (!meta) return actions(refusal(request.id, key, meta.error(), 400));
  if (auto error = reason_to_refuse(request, *meta, fields)) {
    return actions(refusal(request.id, key, *error));
  }
  switch (method_from_name(request.method)) {
    case Method::discover:
      return actions(answer_to(key, write_discover_result(request.id, *config_)));
    case Method::listen: return listen(request, key, std::move(*meta));
    default: return report_call(std::move(request), key, std::move(*meta), fields);
  }
}

// nullopt: the request is accepted.
std::optional<RpcError> Server::reason_to_refuse(const Request& request, const RequestMeta& meta,
                                                 const std::optional<HeaderFields>& fields) const {
  const std::string& version = meta.caller->version;
  if (fields) {
    if (auto error = check_headers(*fields, version, request.method, request.params.view())) {
      return error;
    }
  }
  const std::vector<std::string>& supported = config_->versions;
  if (!is_stateless(version) ||
      std::find(supported.begin(), supported.end(), version) == supported.end()) {
    return unsupported_version(version, versions_of_era(supported, Era::stateless));
  }
  const Method method = method_from_name(request.method);
  if (!is_offered(method, Era::stateless, *config_)) return method_not_found(request.method);
  const std::string_view extension = info(method).extension;
  if (!extension.empty() && !meta.caller->capabilities.has("extensions", extension)) {
    return missing_extension(extension);
  }
  if (is_id_in_use(request.id)) return id_in_use(request.id);
  if (open_.size() >= config_->max_open_calls) return too_many_requests(config_->max_open_calls);
  return std::nullopt;
}

ServerActions Server::listen(const Request& request, CallKey key, RequestMeta meta) {
  const auto wanted = object_member(request.params.view(), "notifications");
  if (!wanted) {
    return actions(refusal(request.id, key,
                           invalid_params("Invalid params: expected an object as notifications")));
  }
  SubscriptionFilter filter = supported_filter(read_filter(*wanted), config_->capabilities);
  for (const auto& [what, wished] :
       {std::pair("resources", &filter.uris), {"tasks", &filter.tasks}}) {
    if (const auto error = check_subscriptions({wished->begin(), wished->end()}, what,
                                               config_->max_subscribed_resources)) {
      return actions(refusal(request.id, key, *error));
    }
  }
  open_.push_back({.key = key,
                   .id = request.id,
                   .method = Method::listen,
                   .meta = std::move(meta),
                   .progress = std::nullopt,
                   .subscription = filter});
  Send acknowledged{write_acknowledged(request.id, filter), key};
  return actions(std::move(acknowledged), SubscriptionOpened{key, std::move(filter)});
}

ServerActions Server::report_call(Request request, CallKey key, RequestMeta meta,
                                  const std::optional<HeaderFields>& fields) {
  auto call = read_call(request, key, meta.caller);
  if (!call) return actions(refusal(request.id, key, call.error()));
  if (const auto* tool = std::get_if<ToolCall>(&call->params); tool && fields) {
    const ParamHeaders* declared =
        config_->param_headers ? config_->param_headers(tool->name) : nullptr;
    if (declared != nullptr) {
      if (auto error = check_param_headers(*declared, *fields, tool->arguments.view())) {
        return actions(refusal(call->id, key, *error));
      }
    }
  }
  call->log_level = meta.log_level;
  if (info(call->method).may_require_input)
    call->inputs = read_input_responses(call->raw_params.view());
  open_.push_back({.key = key,
                   .id = call->id,
                   .method = call->method,
                   .meta = std::move(meta),
                   .progress = std::nullopt,
                   .subscription = {}});
  return actions(std::move(*call));
}

ServerActions Server::receive(Notification notification) {
  if (method_from_name(notification.method) != Method::cancelled) {
    return actions(ClientNotification{std::move(notification)});
  }
  const auto id = id_member(notification.params.view(), "requestId");
  if (!id) return {};
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const OpenCall& open) { return open.id == *id; });
  if (found == open_.end()) return {};  // the call was answered before its cancellation arrived
  const CallKey key = found->key;
  open_.erase(found);
  return actions(
      Cancellation{key, json::string_member(notification.params.view(), "reason").value_or("")});
}

bool Server::is_id_in_use(const Id& id) const {
  return std::any_of(open_.begin(), open_.end(),
                     [&](const OpenCall& open) { return open.id == id; });
}

ServerActions Server::reply(CallKey call, Reply reply) {
  const auto open = take(call);
  if (!open) return {};
  return actions(write_reply(*open, std::move(reply)));
}

Send Server::write_reply(const OpenCall& open, Reply reply) const {
  if (auto* complete = std::get_if<CompleteResult>(&reply)) {
    return answer_to(open.key,
                     write_complete(open.id, open.method, std::move(*complete), *config_));
  }
  if (const auto* upstream = std::get_if<UpstreamResult>(&reply)) {
    return answer_to(open.key, write_upstream_result(open.id, open.method, *upstream, *config_));
  }
  if (const auto* required = std::get_if<InputRequired>(&reply)) {
    return write_input_request(open, *required);
  }
  return refusal(open.id, open.key, with_stateless_code(std::get<RpcError>(std::move(reply))));
}

Send Server::write_input_request(const OpenCall& open, const InputRequired& required) const {
  if (!info(open.method).may_require_input) {
    return refusal(
        open.id, open.key,
        internal_error(fmt::format("Expected a result for {}, which may not require input",
                                   name(open.method))));
  }
  if (const auto error = reason_not_to_ask(required, open.meta.caller->capabilities)) {
    return refusal(open.id, open.key, *error);
  }
  return answer_to(open.key, write_input_required(open.id, required, *config_));
}

ServerActions Server::progress(CallKey call, const Progress& progress) {
  const auto found = std::ranges::find(open_, call, &OpenCall::key);
  if (found == open_.end() || !found->meta.progress_token) return {};
  // The protocol demands that progress increases.
  if (found->progress && progress.progress <= *found->progress) return {};
  found->progress = progress.progress;
  return actions(Send{write_progress(*found->meta.progress_token, progress), call});
}

ServerActions Server::log(CallKey call, const LogMessage& message) const {
  const auto open = std::ranges::find(open_, call, &OpenCall::key);
  if (open == open_.end() || !open->meta.log_level || message.level < *open->meta.log_level) {
    return {};
  }
  return actions(Send{write_log_message(message), call});
}

ServerActions Server::notify(CallKey call, std::string_view method, json::View params) const {
  const auto open = std::ranges::find(open_, call, &OpenCall::key);
  if (open == open_.end()) return {};
  if (!open->subscription) return actions(Send{write_notification(method, params), call});
  return actions(
      Send{write_notification(method, with_subscription(params, open->id).view()), call});
}

ServerActions Server::list_changed(ListKind kind) const {
  ServerActions out;
  for (const OpenCall& open : open_) {
    if (!open.subscription || !open.subscription->wants(kind)) continue;
    out.emplace_back(Send{write_list_changed(kind, open.id), open.key});
  }
  return out;
}

ServerActions Server::resource_updated(std::string_view uri) const {
  ServerActions out;
  for (const OpenCall& open : open_) {
    if (!open.subscription || !open.subscription->wants(uri)) continue;
    out.emplace_back(Send{write_resource_updated(uri, open.id), open.key});
  }
  return out;
}

ServerActions Server::stream_closed(CallKey call) {
  if (!take(call)) return {};
  return actions(Cancellation{call, "the client closed the stream"});
}

ServerActions Server::end_subscriptions() {
  ServerActions out;
  std::erase_if(open_, [&](const OpenCall& open) {
    if (!open.subscription) return false;
    out.emplace_back(answer_to(open.key, write_listen_end(open.id, *config_)));
    return true;
  });
  return out;
}

ServerActions Server::closed(std::string_view reason) {
  ServerActions out;
  for (const OpenCall& open : open_) out.emplace_back(Cancellation{open.key, std::string(reason)});
  open_.clear();
  return out;
}

std::optional<Server::OpenCall> Server::take(CallKey call) {
  const auto found = std::ranges::find(open_, call, &OpenCall::key);
  if (found == open_.end()) return std::nullopt;
  std::optional<OpenCall> taken = std::move(*found);
  open_.erase(found);
  return taken;
}

}  // namespace enfold::mcp::era_2026

// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/server_requests.h"

#include "enfold/mcp/peer/client_peer.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {

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
                               ? missing_capabilities(input, config_.capabilities)->is_null()
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
  if (!info(method_from_name(call.options.method)).may_require_input) {
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
                             missing_capabilities(request, declared)->is_null();
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

tl::expected<ClientActions, NoAnswerReport> ServerRequests::answer(ServerRequestKey key,
                                                                   ResultOrError outcome,
                                                                   Time now) {
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
        NoAnswerReport{call,
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

ClientActions report_notification(Notification notification) {
  const json::View params = notification.params.view();
  switch (method_from_name(notification.method)) {
    case Method::message: {
      auto message = read_log_message(params);
      if (!message) return {};
      return client_actions(LogReport{std::move(*message), std::move(notification.params)});
    }
    case Method::tools_changed:
      return client_actions(ListChanged{ListKind::tools, std::move(notification.params)});
    case Method::prompts_changed:
      return client_actions(ListChanged{ListKind::prompts, std::move(notification.params)});
    case Method::resources_changed:
      return client_actions(ListChanged{ListKind::resources, std::move(notification.params)});
    case Method::resource_updated:
      return client_actions(ResourceUpdated{json::string_member(params, "uri").value_or(""),
                                            std::move(notification.params)});
    default: return client_actions(std::move(notification));
  }
}

}  // namespace enfold::mcp

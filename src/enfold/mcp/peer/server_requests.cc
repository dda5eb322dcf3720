// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/server_requests.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

bool is_input(Method method) {
  return method == Method::sampling || method == Method::elicitation || method == Method::roots;
}

ClientActions single(ClientAction action) {
  ClientActions out;
  out.push_back(std::move(action));
  return out;
}

}  // namespace

ClientActions ServerRequests::receive(Request request, std::optional<CallKey> about) {
  // From 2026-07-28 on servers send no requests, and a client must not answer one.
  if (writer_.server().era == Era::stateless) return {};
  const auto refuse = [&](const RpcError& error) {
    return single(writer_.response(write_response(request.id, error)));
  };
  const Method method = method_from_name(request.method);
  if (method == Method::ping) {
    return single(writer_.response(write_response(request.id, WriteMembers([](json::Writer&) {}))));
  }
  InputRequest input{text_of(request.id), std::move(request.method), std::move(request.params)};
  const bool is_accepted = is_input(method) ? missing_for(input, config_.capabilities)->is_null()
                                            : config_.relay_unknown_requests;
  if (!is_accepted) return refuse(method_not_found(input.method));
  if (open_.size() >= config_.max_open_calls) {
    return refuse({code::internal_error,
                   fmt::format("Too many open requests: at most {}", config_.max_open_calls),
                   std::nullopt});
  }
  return single(add(std::move(request.id), about, std::move(input)));
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
    const bool is_declared =
        is_input(method_from_name(request.method)) && missing_for(request, declared)->is_null();
    if (is_declared) continue;
    return violation(fmt::format("expected only requests that this client declares, found {}",
                                 json::quote(request.method)));
  }
  calls_.require_inputs(key, required.requests.size(), std::move(required.state), now);
  if (required.requests.empty()) {
    return single(writer_.call(key, calls_.start_round(key, writer_.next_id(), now)));
  }
  ClientActions out;
  for (InputRequest& request : required.requests) {
    out.push_back(add(std::nullopt, key, std::move(request)));
  }
  return out;
}

tl::expected<ClientActions, Lost> ServerRequests::answer(ServerRequestKey key, Outcome outcome,
                                                         Time now) {
  const auto found = std::ranges::find(open_, key, &Open::key);
  if (found == open_.end()) return {};
  const Open request = remove(found);
  if (request.id) {
    calls_.touch_all(now);
    return single(writer_.response(outcome ? write_response(*request.id, outcome->view())
                                           : write_response(request.id, outcome.error())));
  }
  const CallKey call = *request.call;
  if (!calls_.contains(call)) return {};
  if (!outcome) {
    return tl::unexpected(Lost{call,
                               {ErrorCode::cancelled,
                                fmt::format("the input {} was not given: {}",
                                            json::quote(request.input), outcome.error().message),
                                {},
                                {}}});
  }
  calls_.add_input(call, request.input, std::move(*outcome));
  if (calls_.find(call)->missing_inputs > 0) return {};
  return single(writer_.call(call, calls_.start_round(call, writer_.next_id(), now)));
}

ClientActions ServerRequests::cancelled(const Id& id) {
  const auto found = std::ranges::find(open_, id, &Open::id);
  if (found == open_.end()) return {};
  return single(ServerRequestWithdrawn{remove(found).key});
}

ClientActions ServerRequests::withdraw_inputs(CallKey key) {
  ClientActions out;
  std::erase_if(open_, [&](const Open& open) {
    if (open.call != key || open.id) return false;
    out.emplace_back(ServerRequestWithdrawn{open.key});
    return true;
  });
  return out;
}

ClientActions ServerRequests::withdraw_all() {
  ClientActions out;
  for (const Open& open : open_) out.emplace_back(ServerRequestWithdrawn{open.key});
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

ServerRequests::Open ServerRequests::remove(std::vector<Open>::iterator open) {
  Open removed = std::move(*open);
  open_.erase(open);
  if (removed.id) --open_in_session_;
  return removed;
}

}  // namespace enfold::mcp

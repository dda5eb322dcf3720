// SPDX-License-Identifier: Apache-2.0
// What a server asks of its client: as requests of its own in a session, inside a result in the
// stateless era. The application sees one form and gives one answer.
#include "enfold/mcp/peer/client_peer.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {

ClientActions ClientPeer::asked(Request request, std::optional<CallKey> about) {
  ClientActions out;
  // From 2026-07-28 on servers send no requests, and nothing may be answered to one.
  if (server_.era == Era::stateless) return out;
  const auto refuse = [&](const RpcError& error) {
    out.emplace_back(plain(write_response(request.id, error), {}, {}));
  };
  const Method method = method_from_name(request.method);
  if (method == Method::ping) {
    out.emplace_back(plain(write_response(request.id, WriteMembers([](json::Writer&) {})), {}, {}));
    return out;
  }
  const bool known =
      method == Method::sampling || method == Method::elicitation || method == Method::roots;
  InputRequest input{text_of(request.id), std::move(request.method), std::move(request.params)};
  if (known ? !missing_for(input, config_.capabilities)->is_null()
            : !config_.relay_unknown_requests) {
    refuse(method_not_found(input.method));
    return out;
  }
  if (asks_.size() >= config_.max_open_calls) {
    refuse({code::internal_error,
            fmt::format("Too many open requests: at most {}", config_.max_open_calls),
            std::nullopt});
    return out;
  }
  const auto key = static_cast<ServerRequestKey>(++last_ask_);
  asks_.push_back({key, request.id, about, {}});
  out.emplace_back(ServerRequest{key, about, std::move(input)});
  return out;
}

ClientActions ClientPeer::input_required(CallKey call, Pending& pending, json::View result,
                                         Time now) {
  const auto broken = [&](std::string message) {
    return lose(call, {ErrorCode::protocol_violation, std::move(message), "/result", {}});
  };
  Result<InputRequired> required = read_input_required(result);
  if (!required) return lose(call, required.error());
  if (!info(method_from_name(pending.options.method)).may_ask) {
    return broken(fmt::format("expected a result for {}, found one that requires input",
                              pending.options.method));
  }
  if (++pending.rounds > config_.max_rounds) {
    return broken(fmt::format("expected an answer after {} rounds of input", config_.max_rounds));
  }
  const Capabilities& declared = pending.options.on_behalf_of
                                     ? pending.options.on_behalf_of->capabilities
                                     : config_.capabilities;
  for (const InputRequest& request : required->requests) {
    const Method method = method_from_name(request.method);
    const bool known =
        method == Method::sampling || method == Method::elicitation || method == Method::roots;
    if (known && missing_for(request, declared)->is_null()) continue;
    return broken(fmt::format("expected only requests that this client declares, found {}",
                              json::quote(request.method)));
  }
  pending.inputs = {{}, std::move(required->state)};
  pending.silent_since = now;
  ClientActions out;
  if (required->requests.empty()) {
    pending.id = Id(++last_id_);
    out.emplace_back(transmit(call, pending));
    return out;
  }
  pending.waiting = required->requests.size();
  for (InputRequest& request : required->requests) {
    const auto key = static_cast<ServerRequestKey>(++last_ask_);
    asks_.push_back({key, std::nullopt, call, request.key});
    out.emplace_back(ServerRequest{key, call, std::move(request)});
  }
  return out;
}

ClientActions ClientPeer::answer(ServerRequestKey ask, Outcome outcome, Time now) {
  const auto found =
      std::find_if(asks_.begin(), asks_.end(), [&](const Ask& one) { return one.key == ask; });
  if (found == asks_.end()) return {};
  const Ask taken = std::move(*found);
  asks_.erase(found);
  if (!taken.id) return answered_for_call(taken, std::move(outcome), now);
  for (auto& [call, pending] : pending_) pending.silent_since = now;
  ClientActions out;
  json::Output message = outcome ? write_response(*taken.id, outcome->view())
                                 : write_response(taken.id, outcome.error());
  out.emplace_back(plain(std::move(message), {}, {}));
  return out;
}

ClientActions ClientPeer::answered_for_call(const Ask& ask, Outcome outcome, Time now) {
  Pending* pending = ask.call ? find(*ask.call) : nullptr;
  if (pending == nullptr) return {};
  if (!outcome) {
    return lose(*ask.call, {ErrorCode::cancelled,
                            fmt::format("the input {} was not given: {}", json::quote(ask.input),
                                        outcome.error().message),
                            {},
                            {}});
  }
  pending->inputs.responses.push_back({ask.input, std::move(*outcome)});
  ClientActions out;
  if (--pending->waiting > 0) return out;
  pending->id = Id(++last_id_);
  pending->silent_since = now;
  out.emplace_back(transmit(*ask.call, *pending));
  return out;
}

}  // namespace enfold::mcp

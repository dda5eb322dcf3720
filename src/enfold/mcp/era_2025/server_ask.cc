// SPDX-License-Identifier: Apache-2.0
// The questions of a session: requests of the server to the client, on its own account or because
// the answer to a call was `InputRequired`.
#include "enfold/mcp/era_2025/server.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp::era_2025 {
namespace {

std::string cannot_ask(const InputRequest& request, const json::Value& missing) {
  return fmt::format("Cannot ask for {} ({}): the client does not declare {}",
                     json::quote(request.key), request.method, json::to_text(missing.view()));
}

}  // namespace

ServerActions Server::question(Open& open, const InputRequired& required, Time now) {
  const CallKey key = open.call.key;
  const auto give_up = [&](std::string message) {
    return finish(key, write_response(open.call.id, RpcError{code::internal_error,
                                                             std::move(message), std::nullopt}));
  };
  if (++open.rounds > config_->max_rounds) {
    return give_up(fmt::format("Expected an answer after {} questions", config_->max_rounds));
  }
  for (const InputRequest& request : required.requests) {
    const json::Value missing = missing_for(request, caller_->capabilities);
    if (!missing->is_null()) {
      return finish(key,
                    write_response(open.call.id, invalid_request(cannot_ask(request, missing))));
    }
  }
  open.call.inputs = {{}, required.state};
  open.waiting = required.requests.size();
  ServerActions out;
  if (required.requests.empty()) {
    out.emplace_back(open.call);  // only wants to be asked again
    return out;
  }
  for (const InputRequest& request : required.requests) {
    asks_.push_back({next_id(), std::nullopt, key, request.key, now + config_->ask_timeout});
    out.emplace_back(write_ask(asks_.back(), request));
  }
  return out;
}

Send Server::write_ask(const Ask& ask, const InputRequest& request) const {
  return {write_request(ask.id, request.method, request.params.view()), ask.about, false, 200};
}

ServerActions Server::answered(const Ask& ask, Outcome outcome) {
  ServerActions out;
  if (ask.key) {
    out.emplace_back(Answered{*ask.key, std::move(outcome)});
    return out;
  }
  Open* open = ask.about ? find(*ask.about) : nullptr;
  if (open == nullptr) return out;
  if (!outcome) {
    RpcError error = std::move(outcome.error());
    error.message =
        fmt::format("The client did not answer {}: {}", json::quote(ask.input), error.message);
    return finish(*ask.about, write_response(open->call.id, error));
  }
  open->call.inputs.responses.push_back({ask.input, std::move(*outcome)});
  if (--open->waiting == 0) out.emplace_back(open->call);
  return out;
}

Result<ServerActions> Server::ask(ServerRequestKey key, std::optional<CallKey> about,
                                  const InputRequest& request, Time now) {
  if (!ready_) {
    return fail(ErrorCode::unavailable, "expected a session that has finished its handshake", {},
                "wait for `initialized`");
  }
  if (about && !owns(*about)) {
    return fail(ErrorCode::cancelled, "expected an open call to ask about, found none");
  }
  const json::Value missing = missing_for(request, caller_->capabilities);
  if (!missing->is_null()) {
    return fail(ErrorCode::unsupported, cannot_ask(request, missing));
  }
  if (asks_.size() >= config_->max_open_calls) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} open questions", config_->max_open_calls));
  }
  asks_.push_back({next_id(), key, about, request.key, now + config_->ask_timeout});
  ServerActions out;
  out.emplace_back(write_ask(asks_.back(), request));
  return out;
}

ServerActions Server::withdraw(ServerRequestKey ask, std::string_view reason) {
  ServerActions out;
  std::erase_if(asks_, [&](const Ask& one) {
    if (one.key != ask) return false;
    out.emplace_back(Send{write_cancelled(one.id, reason), one.about, false, 200});
    return true;
  });
  return out;
}

ServerActions Server::withdraw_all(CallKey call, std::string_view reason) {
  ServerActions out;
  std::erase_if(asks_, [&](const Ask& one) {
    if (one.about != call || one.key) return false;
    out.emplace_back(Send{write_cancelled(one.id, reason), call, false, 200});
    return true;
  });
  return out;
}

ServerActions Server::tick(Time now) {
  ServerActions out;
  while (true) {
    const auto late = std::find_if(asks_.begin(), asks_.end(),
                                   [&](const Ask& ask) { return ask.deadline <= now; });
    if (late == asks_.end()) return out;
    const Ask ask = std::move(*late);
    asks_.erase(late);
    out.emplace_back(Send{write_cancelled(ask.id, "timed out"), ask.about, false, 200});
    append(out, answered(ask, tl::unexpected(RpcError{code::internal_error, "no answer in time",
                                                      std::nullopt})));
  }
}

ServerActions Server::closed(std::string_view reason) {
  ServerActions out;
  for (const Open& open : open_) out.emplace_back(Cancelled{open.call.key, std::string(reason)});
  for (const Ask& ask : asks_) {
    if (!ask.key) continue;
    out.emplace_back(Answered{
        *ask.key,
        tl::unexpected(RpcError{code::internal_error, std::string(reason), std::nullopt})});
  }
  open_.clear();
  asks_.clear();
  return out;
}

std::optional<Time> Server::next_deadline() const {
  std::optional<Time> next;
  for (const Ask& ask : asks_) next = next ? std::min(*next, ask.deadline) : ask.deadline;
  return next;
}

}  // namespace enfold::mcp::era_2025

// SPDX-License-Identifier: Apache-2.0
// How a session asks its client, and goes on with the answers.
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

ServerActions Server::require_input(SessionCall& open, const InputRequired& required, Time now) {
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
  open.missing_answers = required.requests.size();
  ServerActions out;
  if (required.requests.empty()) {
    out.emplace_back(open.call);  // only wants to be asked again
    return out;
  }
  for (const InputRequest& request : required.requests) {
    out.emplace_back(questions_.ask(std::nullopt, key, request, now + config_->ask_timeout));
  }
  return out;
}

ServerActions Server::answered(const Question& question, Outcome outcome) {
  ServerActions out;
  if (question.key) {
    out.emplace_back(Answered{*question.key, std::move(outcome)});
    return out;
  }
  SessionCall* const open = question.about ? calls_.find(*question.about) : nullptr;
  if (open == nullptr) return out;
  if (!outcome) {
    RpcError error = std::move(outcome.error());
    error.message =
        fmt::format("The client did not answer {}: {}", json::quote(question.input), error.message);
    return finish(*question.about, write_response(open->call.id, error));
  }
  open->call.inputs.responses.push_back({question.input, std::move(*outcome)});
  if (--open->missing_answers == 0) out.emplace_back(open->call);
  return out;
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
  const json::Value missing = missing_for(request, caller_->capabilities);
  if (!missing->is_null()) {
    return fail(ErrorCode::unsupported, cannot_ask(request, missing));
  }
  if (questions_.size() >= config_->max_open_calls) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} open questions", config_->max_open_calls));
  }
  ServerActions out;
  out.emplace_back(questions_.ask(key, about, request, now + config_->ask_timeout));
  return out;
}

ServerActions Server::tick(Time now) {
  ServerActions out;
  while (const std::optional<Question> late = questions_.take_late(now)) {
    out.emplace_back(Send{write_cancelled(late->id, "timed out"), late->about, false, 200});
    append(out, answered(*late, tl::unexpected(RpcError{code::internal_error, "no answer in time",
                                                        std::nullopt})));
  }
  return out;
}

ServerActions Server::closed(std::string_view reason) {
  ServerActions out;
  for (const auto& [key, open] : calls_.all()) {
    out.emplace_back(Cancelled{key, std::string(reason)});
  }
  calls_.clear();
  append(out, questions_.fail_all(reason));
  return out;
}

}  // namespace enfold::mcp::era_2025

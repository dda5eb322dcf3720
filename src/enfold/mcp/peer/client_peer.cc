// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/client_peer.h"

#include "enfold/json/member.h"
#include "enfold/mcp/era_2025/client.h"
#include "enfold/mcp/era_2026/client.h"
#include "enfold/mcp/wire/meta.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>

namespace enfold::mcp {
namespace {

template <class... Action>
ClientActions actions(Action... action) {
  ClientActions out;
  (out.emplace_back(std::move(action)), ...);
  return out;
}

}  // namespace

void append(ClientActions& actions, ClientActions more) {
  actions.insert(actions.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

ClientPeer::ClientPeer(ClientConfig config) : config_(std::move(config)) {}

Result<ClientActions> ClientPeer::call(CallKey key, CallOptions options, Time now) {
  if (phase_ != Phase::ready) {
    return fail(ErrorCode::unavailable, "expected a server that has said who it is", {},
                "wait for Ready");
  }
  if (pending_.size() >= config_.max_open_calls) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} open calls", config_.max_open_calls), {},
                "wait for one of them to end");
  }
  const Pending& pending =
      pending_.insert_or_assign(key, Pending{Id(++last_id_), std::move(options), now, now, {}})
          .first->second;
  return actions(transmit(key, pending));
}

Transmit ClientPeer::transmit(CallKey call, const Pending& pending) const {
  std::optional<Id> token;
  if (pending.options.wants_progress) token = Id(static_cast<std::int64_t>(call));
  const bool sessions = server_.era == Era::sessions;
  std::vector<Header> headers;
  if (config_.over_http) {
    headers =
        sessions ? session_headers() : era_2026::call_headers(server_.version, pending.options);
    headers.insert(headers.end(), pending.options.headers.begin(), pending.options.headers.end());
  }
  if (sessions) {
    return {era_2025::write_call(pending.id, pending.options, token), call, std::move(headers)};
  }
  return {era_2026::write_call(pending.id, pending.options,
                               {caller_for(pending.options), pending.options.log_level, token},
                               pending.inputs),
          call, std::move(headers)};
}

std::shared_ptr<const Caller> ClientPeer::caller_for(const CallOptions& options) const {
  if (!options.on_behalf_of) return self_;
  auto caller = std::make_shared<Caller>(*options.on_behalf_of);
  caller->era = Era::stateless;
  caller->version = server_.version;
  return caller;
}

// A notification or a response.
Transmit ClientPeer::plain(json::Output message, std::string_view method, json::View params) const {
  std::vector<Header> headers;
  if (config_.over_http) {
    headers = server_.era == Era::sessions ? session_headers()
                                           : standard_headers(server_.version, method, params);
  }
  return {std::move(message), std::nullopt, std::move(headers)};
}

ClientActions ClientPeer::cancel(CallKey call, std::string_view reason) {
  const Pending* pending = find(call);
  if (pending == nullptr) return {};
  const Id id = pending->id;
  const bool on_the_wire = pending->waiting == 0;
  pending_.erase(call);
  ClientActions out = end_questions(call);
  if (!on_the_wire) return out;
  if (config_.over_http && server_.era == Era::stateless) {
    out.emplace_back(CloseStream{call});
  } else {
    out.emplace_back(plain(write_cancelled(id, reason), name(Method::cancelled), {}));
  }
  return out;
}

ClientActions ClientPeer::notify(std::string_view method, json::View params) const {
  // What the server's era does not know, it is not told.
  if (phase_ != Phase::ready || !exists(method_from_name(method), server_.era)) return {};
  return actions(plain(write_notification(method, params), method, params));
}

ClientActions ClientPeer::receive(Message message, Time now, std::optional<CallKey> about) {
  if (auto* response = std::get_if<Response>(&message)) return received(std::move(*response), now);
  if (auto* request = std::get_if<Request>(&message)) return asked(std::move(*request), about);
  return received(std::get<Notification>(std::move(message)), now);
}

// A broken answer ends its call. Other noise is not ours to answer: a server that prints to stdout
// must not break the connection.
ClientActions ClientPeer::broken(const BadMessage& problem, std::optional<CallKey> about) {
  const bool is_answer = problem.as != BadMessage::As::request;
  for (const auto& [call, pending] : pending_) {
    if (is_answer ? problem.id == pending.id : about == call) {
      return lose(call, {ErrorCode::protocol_violation, problem.error.message, {}, {}});
    }
  }
  return {};
}

ClientActions ClientPeer::receive_bytes(json::Buffer bytes, Time now, std::optional<CallKey> about,
                                        const Limits& limits) {
  auto read = read_messages(std::move(bytes), limits);
  if (!read) return broken(read.error(), about);
  ClientActions out;
  for (Message& message : read->messages) append(out, receive(std::move(message), now, about));
  for (const BadMessage& problem : read->bad) append(out, broken(problem, about));
  return out;
}

std::vector<CallKey> ClientPeer::calls() const {
  std::vector<CallKey> out;
  out.reserve(pending_.size());
  for (const auto& [call, pending] : pending_) out.push_back(call);
  return out;
}

std::optional<CallKey> ClientPeer::call_of(const Id& id) const {
  const auto found = std::ranges::find_if(
      pending_, [&](const auto& one) { return one.second.id == id && one.second.waiting == 0; });
  return found != pending_.end() ? std::optional(found->first) : std::nullopt;
}

ClientActions ClientPeer::received(Response response, Time now) {
  if (!response.id) return {};
  if (handshake_id_ && *response.id == *handshake_id_)
    return handshake_answered(std::move(response.outcome), now);
  if (handshake_id_ && probe_ && *response.id == *probe_ && response.outcome) {
    if (auto server = era_2026::read_discovered(response.outcome->view(), config_)) {
      discovered_ = std::move(*server);
    }
    return {};
  }
  const std::optional<CallKey> call = call_of(*response.id);
  if (!call) return {};  // the call was cancelled, or there was none
  if (response.outcome) {
    return finished(*call, pending_.at(*call), std::move(*response.outcome), now);
  }
  pending_.erase(*call);
  return actions(Refused{*call, std::move(response.outcome.error())});
}

ClientActions ClientPeer::finished(CallKey call, Pending& pending, json::Value result, Time now) {
  if (server_.era == Era::stateless) {
    const ResultType type = result_type(result.view());
    if (type == ResultType::input_required && !pending.options.hands_over_input) {
      return input_required(call, pending, result.view(), now);
    }
    const auto type_name = json::string_member(result.view(), "resultType");
    const bool known = type != ResultType::other || pending.options.hands_over_input ||
                       std::find(config_.result_types.begin(), config_.result_types.end(),
                                 type_name.value_or("")) != config_.result_types.end();
    if (!known) {
      return lose(call, {ErrorCode::protocol_violation,
                         fmt::format("expected a result of a known type, found {}",
                                     json::quote(type_name.value_or(""))),
                         "/result/resultType",
                         {}});
    }
  }
  pending_.erase(call);
  return actions(Finished{call, std::move(result)});
}

ClientActions ClientPeer::received(Notification notification, Time now) {
  const json::View params = notification.params.view();
  switch (method_from_name(notification.method)) {
    case Method::progress: {
      const auto token = params.find("progressToken");
      const auto number = token ? token->integer() : std::nullopt;
      const auto call = static_cast<CallKey>(number.value_or(0));
      Pending* pending = find(call);
      auto progress = read_progress(params);
      if (pending == nullptr || !pending->options.wants_progress || !progress) return {};
      pending->silent_since = now;
      return actions(ProgressReport{call, std::move(*progress), std::move(notification.params)});
    }
    case Method::message: {
      auto message = read_log_message(params);
      if (!message) return {};
      return actions(LogReport{std::move(*message), std::move(notification.params)});
    }
    case Method::tools_changed:
      return actions(ListChanged{ListKind::tools, std::move(notification.params)});
    case Method::prompts_changed:
      return actions(ListChanged{ListKind::prompts, std::move(notification.params)});
    case Method::resources_changed:
      return actions(ListChanged{ListKind::resources, std::move(notification.params)});
    case Method::resource_updated:
      return actions(ResourceUpdated{json::string_member(params, "uri").value_or(""),
                                     std::move(notification.params)});
    case Method::cancelled: return cancelled(notification);
    case Method::acknowledged: {
      const auto inside = object_member(params, "_meta");
      const auto id = inside ? inside->find(meta::subscription_id) : std::nullopt;
      const auto wanted = id ? read_id(*id) : std::nullopt;
      const auto filter = object_member(params, "notifications");
      for (const auto& [call, pending] : pending_) {
        if (wanted != pending.id) continue;
        return actions(SubscriptionAcknowledged{call, read_filter(filter.value_or(json::View()))});
      }
      return {};
    }
    default: return actions(std::move(notification));
  }
}

// In a session the server takes a question back; in the stateless era it ends a subscription.
ClientActions ClientPeer::cancelled(const Notification& notification) {
  const auto named = notification.params->find("requestId");
  const auto id = named ? read_id(*named) : std::nullopt;
  if (!id) return {};
  if (server_.era == Era::stateless) {
    for (const auto& [call, pending] : pending_) {
      if (pending.id != *id) continue;
      return lose(call, {ErrorCode::cancelled, "the server ended it", {}, {}});
    }
    return {};
  }
  const auto found =
      std::find_if(asks_.begin(), asks_.end(), [&](const Ask& ask) { return ask.id == *id; });
  if (found == asks_.end()) return {};
  const ServerRequestKey key = found->key;
  asks_.erase(found);
  return actions(ServerRequestWithdrawn{key});
}

ClientActions ClientPeer::lose(CallKey call, Error error) {
  pending_.erase(call);
  ClientActions out = end_questions(call);
  out.emplace_back(Lost{call, std::move(error)});
  return out;
}

// What was asked for this call, and only for it, needs no answer any more.
ClientActions ClientPeer::end_questions(CallKey call) {
  ClientActions out;
  std::erase_if(asks_, [&](const Ask& ask) {
    if (ask.call != call || ask.id) return false;
    out.emplace_back(ServerRequestWithdrawn{ask.key});
    return true;
  });
  return out;
}

ClientPeer::Pending* ClientPeer::find(CallKey call) {
  const auto found = pending_.find(call);
  return found == pending_.end() ? nullptr : &found->second;
}

}  // namespace enfold::mcp

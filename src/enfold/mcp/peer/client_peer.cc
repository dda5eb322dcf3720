// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/client_peer.h"

#include "enfold/json/document.h"
#include "enfold/mcp/wire/meta.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>

namespace enfold::mcp {
namespace {

// Between the first answer that says that a session is over and the end of waiting for the other
// calls in it: most servers refuse those at once, or still answer them.
constexpr Time kLastAnswers = std::chrono::seconds(2);

template <class... Action>
ClientActions actions(Action... action) {
  ClientActions out;
  (out.emplace_back(std::move(action)), ...);
  return out;
}

/// A notification that changes nothing in the peer. Without a report when it cannot be read.
ClientActions report(Notification notification) {
  const json::View params = notification.params.view();
  switch (method_from_name(notification.method)) {
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
    default: return actions(std::move(notification));
  }
}

std::optional<Id> id_member(json::View object, std::string_view key) {
  const auto found = object.find(key);
  return found ? read_id(*found) : std::nullopt;
}

/// Stateless era: whether the client knows what to do with a result of this type.
Status check_type(json::View result, const OpenCall& call, const ClientConfig& config) {
  if (result_type(result) != ResultType::other || call.options.hands_over_input) return {};
  const std::string type = json::string_member(result, "resultType").value_or("");
  if (std::ranges::find(config.result_types, type) != config.result_types.end()) return {};
  return fail(ErrorCode::protocol_violation,
              fmt::format("expected a result of a known type, found {}", json::quote(type)),
              "/result/resultType");
}

/// The JSON-RPC error in the body of a response over HTTP.
std::optional<Response> read_refusal(std::string_view body) {
  auto read = read_messages(json::Buffer(body));
  if (!read || read->messages.size() != 1) return std::nullopt;
  auto* const response = std::get_if<Response>(&read->messages.front());
  if (response == nullptr || response->outcome) return std::nullopt;
  return std::move(*response);
}

}  // namespace

void append(ClientActions& actions, ClientActions more) {
  actions.insert(actions.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

ClientPeer::ClientPeer(ClientConfig config)
    : config_(std::move(config)),
      writer_(config_.over_http),
      handshake_(config_, writer_),
      requests_(config_, writer_, calls_) {}

ClientActions ClientPeer::start(Time now) {
  is_ready_ = false;
  over_.reset();
  writer_.reset();
  return proceed(handshake_.start(now));
}

ClientActions ClientPeer::proceed(ClientHandshake::Step step) {
  if (auto* const request = std::get_if<Transmit>(&step)) return actions(std::move(*request));
  if (auto* const error = std::get_if<Error>(&step)) return break_off(std::move(*error));
  auto* const server = std::get_if<ServerIdentity>(&step);
  if (server == nullptr) return {};
  writer_.set_server(*server, handshake_.self());
  is_ready_ = true;
  ClientActions out;
  if (server->era == Era::sessions) {
    // The server must get this before any call.
    out.emplace_back(writer_.notification(
        write_notification(name(Method::initialized), json::View()), name(Method::initialized)));
  }
  out.emplace_back(Ready{std::move(*server)});
  return out;
}

Result<ClientActions> ClientPeer::call(CallKey key, CallOptions options, Time now) {
  if (!is_ready_) {
    return fail(ErrorCode::unavailable, "expected a server that has said who it is", {},
                "wait for Ready");
  }
  if (calls_.size() >= config_.max_open_calls) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} open calls", config_.max_open_calls), {},
                "wait for one of them to end");
  }
  return actions(writer_.call(key, calls_.add(key, writer_.next_id(), std::move(options), now)));
}

ClientActions ClientPeer::cancel(CallKey call, std::string_view reason) {
  const OpenCall* const open = calls_.find(call);
  if (open == nullptr) return {};
  const Id id = open->id;
  const bool is_sent = open->missing_inputs == 0;
  calls_.remove(call);
  ClientActions out = requests_.withdraw_inputs(call);
  if (!is_sent) return out;
  if (config_.over_http && writer_.server().era == Era::stateless) {
    out.emplace_back(CloseStream{call});
  } else {
    out.emplace_back(writer_.notification(write_cancelled(id, reason), name(Method::cancelled)));
  }
  return out;
}

ClientActions ClientPeer::notify(std::string_view method, json::View params) const {
  // What the server's era does not know, it is not told.
  if (!is_ready_ || !exists(method_from_name(method), writer_.server().era)) return {};
  return actions(writer_.notification(write_notification(method, params), method, params));
}

ClientActions ClientPeer::answer(ServerRequestKey ask, Outcome outcome, Time now) {
  auto answered = requests_.answer(ask, std::move(outcome), now);
  if (answered) return std::move(*answered);
  return lose(answered.error().call, std::move(answered.error().error));
}

ClientActions ClientPeer::receive(Message message, Time now, std::optional<CallKey> about) {
  if (auto* response = std::get_if<Response>(&message)) return received(std::move(*response), now);
  if (auto* request = std::get_if<Request>(&message)) {
    return requests_.receive(std::move(*request), about);
  }
  return received(std::get<Notification>(std::move(message)), now);
}

// A broken answer ends its call. Other noise is not ours to answer: a server that prints to stdout
// must not break the connection.
ClientActions ClientPeer::broken(const BadMessage& problem, std::optional<CallKey> about) {
  const bool is_answer = problem.as != BadMessage::As::request;
  const std::optional<CallKey> of_id = problem.id ? calls_.with_id(*problem.id) : std::nullopt;
  const std::optional<CallKey> call = is_answer ? of_id : about;
  if (!call || !calls_.contains(*call)) return {};
  return lose(*call, {ErrorCode::protocol_violation, problem.error.message, {}, {}});
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

ClientActions ClientPeer::received(Response response, Time now) {
  if (!response.id) return {};
  const std::optional<CallKey> call = calls_.awaiting(*response.id);
  // Without a call it belongs to the handshake, or the call was cancelled, or there was none.
  if (!call) return proceed(handshake_.receive(*response.id, std::move(response.outcome), now));
  if (!response.outcome) {
    calls_.remove(*call);
    return actions(Refused{*call, std::move(response.outcome.error())});
  }
  if (writer_.server().era == Era::stateless) {
    const OpenCall& open = *calls_.find(*call);
    const json::View result = response.outcome->view();
    const bool requires_input = result_type(result) == ResultType::input_required;
    if (requires_input && !open.options.hands_over_input) {
      Result<ClientActions> asked = requests_.require_input(*call, result, now);
      return asked ? std::move(*asked) : lose(*call, std::move(asked.error()));
    }
    if (Status known = check_type(result, open, config_); !known) {
      return lose(*call, std::move(known.error()));
    }
  }
  calls_.remove(*call);
  return actions(Finished{*call, std::move(*response.outcome)});
}

ClientActions ClientPeer::received(Notification notification, Time now) {
  const json::View params = notification.params.view();
  switch (method_from_name(notification.method)) {
    case Method::progress: {
      const auto token = params.find("progressToken");
      const auto number = token ? token->integer() : std::nullopt;
      const auto call = static_cast<CallKey>(number.value_or(0));
      const OpenCall* const open = calls_.find(call);
      auto progress = read_progress(params);
      if (open == nullptr || !open->options.wants_progress || !progress) return {};
      calls_.touch(call, now);
      return actions(ProgressReport{call, std::move(*progress), std::move(notification.params)});
    }
    case Method::cancelled: {
      const std::optional<Id> id = id_member(params, "requestId");
      if (!id) return {};
      if (writer_.server().era == Era::sessions) return requests_.cancelled(*id);
      // In the stateless era the server ends a subscription.
      const std::optional<CallKey> call = calls_.with_id(*id);
      if (!call) return {};
      return lose(*call, {ErrorCode::cancelled, "the server ended it", {}, {}});
    }
    case Method::acknowledged: {
      const auto inside = object_member(params, "_meta");
      const auto id = inside ? id_member(*inside, meta::subscription_id) : std::nullopt;
      const auto call = id ? calls_.with_id(*id) : std::nullopt;
      if (!call) return {};
      const auto filter = object_member(params, "notifications");
      return actions(SubscriptionAcknowledged{*call, read_filter(filter.value_or(json::View()))});
    }
    default: return report(std::move(notification));
  }
}

ClientActions ClientPeer::lose(CallKey call, Error error) {
  calls_.remove(call);
  ClientActions out = requests_.withdraw_inputs(call);
  out.emplace_back(Lost{call, std::move(error)});
  return out;
}

ClientActions ClientPeer::break_off(Error error) {
  ClientActions out = closed(error.message);
  out.emplace_back(Broken{std::move(error)});
  return out;
}

ClientActions ClientPeer::closed(std::string_view why) {
  ClientActions out;
  for (const CallKey call : calls_.keys()) {
    out.emplace_back(Lost{call,
                          {ErrorCode::unavailable,
                           fmt::format("the connection ended before the answer: {}", why),
                           {},
                           {}}});
  }
  append(out, requests_.withdraw_all());
  calls_.clear();
  handshake_.stop();
  over_.reset();
  is_ready_ = false;
  return out;
}

ClientActions ClientPeer::refused(std::optional<CallKey> call, int status, std::string_view body,
                                  Time now) {
  const bool is_handshake = handshake_.is_open() && call == kHandshakeCall;
  const OpenCall* const open = call && !is_handshake ? calls_.find(*call) : nullptr;
  Error error{ErrorCode::unavailable,
              fmt::format("expected an answer, found HTTP status {}", status),
              {},
              {}};
  if (status == 401 || status == 403) error.code = ErrorCode::unauthorized;
  const bool ends_session = status == 404 && !session().empty() && !is_handshake;
  if (std::optional<Response> refusal = read_refusal(body)) {
    const std::optional<Id>& id = refusal->id;
    const bool is_answer =
        id && (is_handshake ? handshake_.awaits(*id) : open != nullptr && *id == open->id);
    if (is_answer && !ends_session) return received(std::move(*refusal), now);
    error.message += fmt::format(": {}", refusal->outcome.error().message);
  }
  if (is_handshake) return proceed(handshake_.refused(status, std::move(error), now));
  if (ends_session) {
    error.hint = "the session is over; start again";
    return session_ended(call, std::move(error), now);
  }
  return open != nullptr ? lose(*call, std::move(error)) : ClientActions();
}

// Calls that were sent at the same time have answers of their own, most likely a refusal too. Only
// after a refusal it is safe to send a call again.
ClientActions ClientPeer::session_ended(std::optional<CallKey> call, Error error, Time now) {
  const bool is_open = call && calls_.contains(*call);
  if (calls_.size() == (is_open ? 1U : 0U)) return break_off(std::move(error));
  if (!over_) over_ = Over{error, now + kLastAnswers};
  return is_open ? lose(*call, std::move(error)) : ClientActions();
}

ClientActions ClientPeer::stream_ended(CallKey call, std::string_view last_event_id,
                                       std::optional<std::chrono::milliseconds> retry, Time now) {
  const bool is_handshake = handshake_.is_open() && call == kHandshakeCall;
  const OpenCall* const open = calls_.find(call);
  if (open == nullptr && !is_handshake) return {};
  if (writer_.server().era == Era::sessions && is_ready_ && !last_event_id.empty()) {
    return actions(
        Resume{call, std::string(last_event_id), now + retry.value_or(std::chrono::seconds(1))});
  }
  Error error{ErrorCode::unavailable, "the stream ended before the answer", {}, {}};
  if (is_handshake) return break_off(std::move(error));
  if (open->missing_inputs != 0) return {};  // the answer was `input_required`
  return lose(call, std::move(error));
}

ClientActions ClientPeer::tick(Time now) {
  if (over_ && (calls_.size() == 0 || over_->last_answers <= now)) return break_off(over_->why);
  ClientActions out = proceed(handshake_.tick(now));
  for (const CallKey call : calls_.late(now, requests_.timeouts())) {
    append(out, cancel(call, "timed out"));
    out.emplace_back(Lost{call, no_answer_in_time()});
  }
  return out;
}

std::optional<Time> ClientPeer::next_deadline() const {
  std::optional<Time> next = handshake_.deadline();
  if (over_) next = calls_.size() == 0 ? Time(0) : over_->last_answers;
  const std::optional<Time> of_calls = calls_.next_deadline(requests_.timeouts());
  if (of_calls) next = next ? std::min(*next, *of_calls) : *of_calls;
  return next;
}

}  // namespace enfold::mcp

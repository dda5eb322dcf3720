// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/client_peer.h"

#include "enfold/json/document.h"
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

// How long the other open calls may still be answered or refused after their session has expired.
constexpr Time kExpiryTimeout = std::chrono::seconds(2);

/// The JSON-RPC error in the body of a response over HTTP.
std::optional<Response> read_refusal(std::string_view body) {
  auto read = read_messages(json::Buffer(body));
  if (!read || read->messages.size() != 1) return std::nullopt;
  auto* const response = std::get_if<Response>(&read->messages.front());
  if (response == nullptr || response->outcome) return std::nullopt;
  return std::move(*response);
}

// The error for a call of which at least one timeout has passed; its hint names that timeout.
Error timeout_of(const OpenCall& call, Time now) {
  if (call.is_cancelled) {
    return {ErrorCode::cancelled, "the call was cancelled, and no late answer came", {}, {}};
  }
  const CallOptions& options = call.options;
  const bool is_call_timeout =
      options.call_timeout.count() > 0 && call.started + options.call_timeout <= now;
  const Time timeout = is_call_timeout ? options.call_timeout : options.idle_timeout;
  Error error = no_answer_in_time();
  error.hint += fmt::format("; it was given {:g} seconds{}; give it more if it needs them",
                            static_cast<double>(timeout.count()) / 1000,
                            is_call_timeout ? " in all" : " without progress");
  return error;
}

}  // namespace

const OpenCall& OpenCalls::add(CallKey key, Id id, CallOptions options, Time now) {
  remove(key);
  const OpenCall& call =
      calls_.emplace(key, OpenCall{std::move(id), std::move(options), now, now, {}}).first->second;
  ids_.emplace(call.id, key);
  if (call.options.call_timeout.count() > 0) {
    call_deadlines_.emplace(now + call.options.call_timeout, key);
  }
  schedule_idle(key, call);
  return call;
}

void OpenCalls::remove(CallKey key) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return;
  const OpenCall& call = found->second;
  unschedule_idle(key, call);
  call_deadlines_.erase({call.started + call.options.call_timeout, key});
  ids_.erase(call.id);
  calls_.erase(found);
}

void OpenCalls::clear() {
  calls_.clear();
  ids_.clear();
  idle_deadlines_.clear();
  call_deadlines_.clear();
}

std::vector<CallKey> OpenCalls::keys() const {
  std::vector<CallKey> out;
  out.reserve(calls_.size());
  for (const auto& [key, call] : calls_) out.push_back(key);
  return out;
}

void OpenCalls::touch(CallKey key, Time now) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  call.last_activity = now;
  schedule_idle(key, call);
}

// The idle timeout of the call becomes a call timeout, because nothing may restart it any more.
void OpenCalls::cancel(CallKey key, Time now) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  call_deadlines_.erase({call.started + call.options.call_timeout, key});
  call.is_cancelled = true;
  const Time idle = std::exchange(call.options.idle_timeout, Time(0));
  if (idle.count() > 0) {
    const Time deadline = now + idle;
    const bool has_other = call.options.call_timeout.count() > 0;
    const Time other = call.started + call.options.call_timeout;
    call.options.call_timeout = (has_other ? std::min(deadline, other) : deadline) - call.started;
  }
  if (call.options.call_timeout.count() > 0) {
    call_deadlines_.emplace(call.started + call.options.call_timeout, key);
  }
}

void OpenCalls::require_inputs(CallKey key, std::size_t number, std::optional<std::string> state,
                               Time now) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  ++call.rounds;
  call.inputs = {{}, std::move(state)};
  call.missing_inputs = number;
  call.last_activity = now;
  schedule_idle(key, call);
}

void OpenCalls::add_input(CallKey key, std::string input, json::Value response) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  call.inputs.responses.push_back({std::move(input), std::move(response)});
  --call.missing_inputs;
  schedule_idle(key, call);
}

const OpenCall& OpenCalls::start_round(CallKey key, Id id, Time now) {
  OpenCall& call = calls_.at(key);
  ids_.erase(call.id);
  call.id = std::move(id);
  ids_.emplace(call.id, key);
  touch(key, now);
  return call;
}

std::optional<Time> OpenCalls::next_deadline(Timeouts which) const {
  std::optional<Time> next;
  if (!call_deadlines_.empty()) next = call_deadlines_.begin()->first;
  if (which == Timeouts::all && !idle_deadlines_.empty()) {
    const Time idle = idle_deadlines_.begin()->first;
    next = next ? std::min(*next, idle) : idle;
  }
  return next;
}

std::vector<CallKey> OpenCalls::late(Time now, Timeouts which) const {
  std::vector<CallKey> out;
  const auto take = [&](const Deadlines& deadlines) {
    for (auto each = deadlines.begin(); each != deadlines.end() && each->first <= now; ++each) {
      out.push_back(each->second);
    }
  };
  take(call_deadlines_);
  if (which == Timeouts::all) take(idle_deadlines_);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

void OpenCalls::schedule_idle(CallKey key, const OpenCall& call) {
  if (call.missing_inputs > 0 || call.options.idle_timeout.count() <= 0) return;
  idle_deadlines_.emplace(call.last_activity + call.options.idle_timeout, key);
}

void OpenCalls::unschedule_idle(CallKey key, const OpenCall& call) {
  idle_deadlines_.erase({call.last_activity + call.options.idle_timeout, key});
}

ClientPeer::ClientPeer(ClientConfig config)
    : config_(std::move(config)),
      writer_(config_.over_http),
      handshake_(config_, writer_),
      requests_(config_, writer_, calls_) {}

ClientActions ClientPeer::start(Time now) {
  is_ready_ = false;
  expiry_.reset();
  writer_.reset();
  return perform(handshake_.start(now));
}

ClientActions ClientPeer::perform(ClientHandshake::Step step) {
  if (auto* const request = std::get_if<Transmit>(&step))
    return client_actions(std::move(*request));
  if (auto* const error = std::get_if<Error>(&step)) return break_connection(std::move(*error));
  auto* const server = std::get_if<ServerIdentity>(&step);
  if (server == nullptr) return {};
  writer_.set_server(*server, handshake_.self());
  is_ready_ = true;
  ClientActions out;
  if (server->era == Era::sessions) {
    Transmit initialized = writer_.notification(write_notification(name(Method::initialized)),
                                                name(Method::initialized));
    initialized.opens_session = true;
    out.emplace_back(std::move(initialized));
  }
  out.emplace_back(Ready{std::move(*server)});
  return out;
}

Result<ClientActions> ClientPeer::call(CallKey key, CallOptions options, Time now) {
  if (!is_ready_) {
    return fail(ErrorCode::unavailable, "expected a server that has answered the handshake", {},
                "wait for Ready");
  }
  if (calls_.size() >= config_.max_open_calls) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} open calls", config_.max_open_calls), {},
                "wait for one of them to end");
  }
  return client_actions(
      writer_.call(key, calls_.add(key, writer_.next_id(), std::move(options), now)));
}

ClientActions ClientPeer::cancel(CallKey call, std::optional<std::string_view> reason,
                                 LateAnswer late, Time now) {
  const OpenCall* const open = calls_.find(call);
  if (open == nullptr) return {};
  const bool ends_stream = config_.over_http && writer_.server().era == Era::stateless;
  const bool is_told = reason && open->missing_inputs == 0 && !open->is_cancelled;
  const auto notify_server = [&, id = open->id] {
    return writer_.notification(write_cancelled(id, *reason), name(Method::cancelled));
  };
  if (late == LateAnswer::report) {
    if (!is_told || ends_stream) return {};
    calls_.cancel(call, now);
    return client_actions(notify_server());
  }
  calls_.remove(call);
  ClientActions out = requests_.withdraw_inputs(call);
  if (is_told) out.emplace_back(ends_stream ? ClientAction(CloseStream{call}) : notify_server());
  return out;
}

ClientActions ClientPeer::notify(std::string_view method, json::View params) const {
  if (!is_ready_ || !exists(method_from_name(method), writer_.server().era)) return {};
  return client_actions(writer_.notification(write_notification(method, params), method, params));
}

ClientActions ClientPeer::answer(ServerRequestKey key, ResultOrError outcome, Time now) {
  auto answered = requests_.answer(key, std::move(outcome), now);
  if (answered) return std::move(*answered);
  return end_without_answer(answered.error().call, std::move(answered.error().error));
}

ClientActions ClientPeer::receive(Message message, Time now, std::optional<CallKey> about) {
  if (auto* response = std::get_if<Response>(&message))
    return on_response(std::move(*response), now);
  if (auto* request = std::get_if<Request>(&message)) {
    return requests_.receive(std::move(*request), about);
  }
  return on_notification(std::get<Notification>(std::move(message)), now);
}

// An invalid answer ends its call; so does, over HTTP, any invalid message on the call's stream.
// Other invalid messages are ignored: a server that prints to stdout must not break the connection.
ClientActions ClientPeer::receive_bad(const BadMessage& problem, std::optional<CallKey> about) {
  const bool is_answer = problem.kind != BadMessage::Kind::request;
  const std::optional<CallKey> answered = problem.id ? calls_.with_id(*problem.id) : std::nullopt;
  const std::optional<CallKey> call = is_answer ? answered : about;
  if (!call || !calls_.contains(*call)) return {};
  return end_without_answer(*call, {ErrorCode::protocol_violation, problem.error.message, {}, {}});
}

ClientActions ClientPeer::receive_bytes(json::Buffer bytes, Time now, std::optional<CallKey> about,
                                        const Limits& limits) {
  auto read = read_messages(std::move(bytes), limits);
  if (!read) return receive_bad(read.error(), about);
  ClientActions out;
  for (Message& message : read->messages) append(out, receive(std::move(message), now, about));
  for (const BadMessage& problem : read->bad) append(out, receive_bad(problem, about));
  return out;
}

ClientActions ClientPeer::on_response(Response response, Time now) {
  if (!response.id) return {};
  const std::optional<CallKey> call = calls_.awaiting(*response.id);
  // No open call has this id: the response is for the handshake, which ignores other ids, such as
  // that of a cancelled call.
  if (!call) return perform(handshake_.receive(*response.id, std::move(response.outcome), now));
  if (!response.outcome) {
    calls_.remove(*call);
    return client_actions(ErrorReport{*call, std::move(response.outcome.error())});
  }
  if (writer_.server().era == Era::stateless) {
    const OpenCall& open = *calls_.find(*call);
    const json::View result = response.outcome->view();
    const bool requires_input = result_type(result) == ResultType::input_required;
    if (requires_input && !open.options.relay_input_required) {
      Result<ClientActions> asked = requests_.require_input(*call, result, now);
      return asked ? std::move(*asked) : end_without_answer(*call, std::move(asked.error()));
    }
    if (result_type(result) == ResultType::other && !open.options.relay_input_required) {
      const std::string type = json::string_member(result, "resultType").value_or("");
      return end_without_answer(
          *call, {ErrorCode::protocol_violation,
                  fmt::format("expected a result of a known type, found {}", json::quote(type)),
                  "/result/resultType",
                  {}});
    }
  }
  calls_.remove(*call);
  return client_actions(ResultReport{*call, std::move(*response.outcome)});
}

ClientActions ClientPeer::on_notification(Notification notification, Time now) {
  const json::View params = notification.params.view();
  switch (method_from_name(notification.method)) {
    case Method::progress: {
      const auto token = params.find("progressToken");
      const auto number = token ? token->integer() : std::nullopt;
      const auto call = static_cast<CallKey>(number.value_or(0));
      const OpenCall* const open = calls_.find(call);
      auto progress = read_progress(params);
      if (open == nullptr || !open->options.wants_progress || !progress) return {};
      if (open->is_cancelled) return {};
      calls_.touch(call, now);
      return client_actions(
          ProgressReport{call, std::move(*progress), std::move(notification.params)});
    }
    case Method::cancelled: {
      const std::optional<Id> id = id_member(params, "requestId");
      if (!id) return {};
      if (writer_.server().era == Era::sessions) return requests_.cancelled(*id);
      // In the stateless era the server ends a subscription.
      const std::optional<CallKey> call = calls_.with_id(*id);
      if (!call) return {};
      return end_without_answer(*call, {ErrorCode::cancelled, "the server ended it", {}, {}});
    }
    case Method::acknowledged: {
      const auto inside = object_member(params, "_meta");
      const auto id = inside ? id_member(*inside, meta::subscription_id) : std::nullopt;
      const auto call = id ? calls_.with_id(*id) : std::nullopt;
      if (!call) return {};
      const auto filter = object_member(params, "notifications");
      return client_actions(
          SubscriptionAcknowledged{*call, read_filter(filter.value_or(json::View()))});
    }
    default: return report_notification(std::move(notification));
  }
}

ClientActions ClientPeer::end_without_answer(CallKey call, Error error) {
  calls_.remove(call);
  ClientActions out = requests_.withdraw_inputs(call);
  out.emplace_back(NoAnswerReport{call, std::move(error)});
  return out;
}

ClientActions ClientPeer::break_connection(Error error) {
  ClientActions out = closed(error.message);
  out.emplace_back(Broken{std::move(error)});
  return out;
}

ClientActions ClientPeer::closed(std::string_view why) {
  ClientActions out;
  for (const CallKey call : calls_.keys()) {
    out.emplace_back(NoAnswerReport{call,
                                    {ErrorCode::unavailable,
                                     fmt::format("the connection ended before the answer: {}", why),
                                     {},
                                     {}}});
  }
  append(out, requests_.withdraw_all());
  calls_.clear();
  handshake_.stop();
  expiry_.reset();
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
    if (is_answer && !ends_session) return on_response(std::move(*refusal), now);
    error.message += fmt::format(": {}", refusal->outcome.error().message);
  }
  if (is_handshake) return perform(handshake_.receive_refusal(status, std::move(error), now));
  if (ends_session) {
    error.hint = "the session is over; start again";
    return on_session_expired(call, std::move(error), now);
  }
  return open != nullptr ? end_without_answer(*call, std::move(error)) : ClientActions();
}

// The other open calls wait for their own responses: only a call that was refused may be sent again
// in a new session.
ClientActions ClientPeer::on_session_expired(std::optional<CallKey> call, Error error, Time now) {
  const bool is_open = call && calls_.contains(*call);
  if (calls_.size() == (is_open ? 1U : 0U)) return break_connection(std::move(error));
  if (!expiry_) expiry_ = SessionExpiry{error, now + kExpiryTimeout};
  return is_open ? end_without_answer(*call, std::move(error)) : ClientActions();
}

ClientActions ClientPeer::stream_ended(CallKey call, std::string_view last_event_id,
                                       std::optional<std::chrono::milliseconds> retry, Time now) {
  const bool is_handshake = handshake_.is_open() && call == kHandshakeCall;
  const OpenCall* const open = calls_.find(call);
  if (open == nullptr && !is_handshake) return {};
  if (writer_.server().era == Era::sessions && is_ready_ && !last_event_id.empty()) {
    return client_actions(
        Resume{call, std::string(last_event_id), now + retry.value_or(std::chrono::seconds(1))});
  }
  Error error{ErrorCode::unavailable, "the stream ended before the answer", {}, {}};
  if (is_handshake) return break_connection(std::move(error));
  if (open->missing_inputs != 0) return {};  // the answer was `input_required`
  return end_without_answer(call, std::move(error));
}

ClientActions ClientPeer::tick(Time now) {
  if (expiry_ && (calls_.size() == 0 || expiry_->deadline <= now))
    return break_connection(expiry_->why);
  ClientActions out = perform(handshake_.tick(now));
  for (const CallKey call : calls_.late(now, requests_.timeouts())) {
    Error error = timeout_of(*calls_.find(call), now);
    append(out, cancel(call, "timed out", LateAnswer::drop, now));
    out.emplace_back(NoAnswerReport{call, std::move(error)});
  }
  return out;
}

std::optional<Time> ClientPeer::next_deadline() const {
  std::optional<Time> next = handshake_.deadline();
  if (expiry_) next = calls_.size() == 0 ? Time(0) : expiry_->deadline;
  const std::optional<Time> of_calls = calls_.next_deadline(requests_.timeouts());
  if (of_calls) next = next ? std::min(*next, *of_calls) : *of_calls;
  return next;
}

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/server_peer.h"

#include <algorithm>

namespace enfold::mcp {

void write_identity(json::Writer& writer, const ServerConfig& config) {
  writer.member("capabilities", config.capabilities.value());
  if (!config.instructions.empty()) writer.member("instructions", config.instructions);
}

ServerPeer::ServerPeer(std::shared_ptr<const ServerConfig> config)
    : config_(std::move(config)), session_(config_), stateless_(config_) {}

// A request belongs to the stateless era if it names a revision of it, in `_meta` or in a header,
// or uses a method that exists only there. Any other request belongs to the session era, unless the
// server offers only the stateless era; even then `initialize` belongs to the session era, which
// refuses it. If the server offers only the session era, every request belongs to that era.
bool ServerPeer::is_stateless_request(const Request& request,
                                      const std::optional<HeaderFields>& fields) const {
  if (!has_era(config_->versions, Era::stateless)) return false;
  const Method method = method_from_name(request.method);
  if (method == Method::discover || method == Method::listen) return true;
  if (fields && is_stateless(find_header(*fields, header::version).value_or(""))) return true;
  if (era_2026::has_version(request.params.view())) return true;
  return method != Method::initialize && !has_era(config_->versions, Era::sessions);
}

ServerActions ServerPeer::receive(Message message, const std::optional<HeaderFields>& fields) {
  if (auto* request = std::get_if<Request>(&message)) {
    const auto key = static_cast<CallKey>(++last_key_);
    if (is_stateless_request(*request, fields))
      return stateless_.receive(std::move(*request), key, fields);
    return session_.receive(std::move(*request), key);
  }
  if (auto* response = std::get_if<Response>(&message)) {
    return session_.receive(std::move(*response));
  }
  auto& notification = std::get<Notification>(message);
  if (method_from_name(notification.method) == Method::cancelled) {
    const auto id = id_member(notification.params.view(), "requestId");
    if (id && stateless_.is_id_in_use(*id)) return stateless_.receive(std::move(notification));
  }
  return session_.receive(std::move(notification));
}

ServerActions ServerPeer::receive_bytes(json::Buffer bytes, const Limits& limits) {
  ServerActions out;
  auto read = read_messages(std::move(bytes), limits);
  const auto refuse = [&](const BadMessage& problem) {
    if (problem.kind == BadMessage::Kind::response) return;  // responses are never answered
    out.emplace_back(Send{.message = write_response(problem.id, problem.error),
                          .about = std::nullopt,
                          .last = true,
                          .status = http_status(problem.error.code)});
  };
  if (!read) {
    refuse(read.error());
    return out;
  }
  if (read->batch && !has_batches(session_.version())) {
    refuse({invalid_request("Expected one message, found a batch"), std::nullopt});
    return out;
  }
  for (const BadMessage& problem : read->bad) refuse(problem);
  for (Message& message : read->messages) append(out, receive(std::move(message)));
  return out;
}

bool ServerPeer::has_running_call() const {
  const auto is_running = [&](const auto& open) {
    return !session_.requests().any_about(open.first);
  };
  return stateless_.open_calls() > 0 || std::ranges::any_of(session_.calls().all(), is_running);
}

ServerActions ServerPeer::closed(std::string_view reason) {
  ServerActions out = session_.closed(reason);
  append(out, stateless_.closed(reason));
  return out;
}

ServerActions ServerPeer::reply(CallKey call, Reply reply, Time now) {
  // An upstream's `input_required` is handled like the application's: in the session era the client
  // is asked, in the stateless era it must have declared the capability.
  const auto* upstream = std::get_if<UpstreamResult>(&reply);
  if (upstream != nullptr && upstream->era != Era::sessions &&
      result_type(upstream->result.view()) == ResultType::input_required) {
    Result<InputRequired> required = read_input_required(upstream->result.view());
    reply = required ? Reply(std::move(*required)) : internal_error(required.error().message);
  }
  if (stateless_.has_open_call(call)) return stateless_.reply(call, std::move(reply));
  return session_.reply(call, std::move(reply), now);
}

ServerActions ServerPeer::progress(CallKey call, const Progress& progress) {
  if (stateless_.has_open_call(call)) return stateless_.progress(call, progress);
  return session_.progress(call, progress);
}

ServerActions ServerPeer::log(std::optional<CallKey> call, const LogMessage& message) const {
  if (call && stateless_.has_open_call(*call)) return stateless_.log(*call, message);
  return session_.log(call, message);
}

ServerActions ServerPeer::notify(std::optional<CallKey> call, std::string_view method,
                                 json::View params) const {
  if (call && stateless_.has_open_call(*call)) return stateless_.notify(*call, method, params);
  return session_.notify(call, method, params);
}

ServerActions ServerPeer::list_changed(ListKind kind) const {
  ServerActions out = session_.list_changed(kind);
  append(out, stateless_.list_changed(kind));
  return out;
}

ServerActions ServerPeer::resource_updated(std::string_view uri) const {
  ServerActions out = session_.resource_updated(uri);
  append(out, stateless_.resource_updated(uri));
  return out;
}

Result<ServerPeer::AskResult> ServerPeer::ask(std::optional<CallKey> about,
                                              const InputRequest& request, Time now) {
  if (about && stateless_.has_open_call(*about)) {
    return fail(ErrorCode::unsupported,
                "expected a session: servers send no requests in the stateless era", {},
                "reply with InputRequired");
  }
  const auto key = static_cast<ServerRequestKey>(++last_key_);
  ENFOLD_TRY(ServerActions actions, session_.ask(key, about, request, now));
  return AskResult{key, std::move(actions)};
}

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream_events.h"

#include "enfold/gateway/policy/names.h"
#include "enfold/gateway/policy/upstream_words.h"

namespace enfold::gateway {

void UpstreamEvents::on_event(UpstreamConnection& connection, client::Event event) {
  std::visit([&](const auto& one) { on(connection, one); }, event);
}

void UpstreamEvents::filter_reply(std::string_view method, client::CallResult& result) const {
  gateway::filter_reply(services_->environment.settings, method, result);
}

json::Value UpstreamEvents::show_progress(const json::Value& params) const {
  return show_value(services_->environment.settings, RedactionChannel::progress, params);
}

void UpstreamEvents::set_log_level(const ClientSession& session) {
  json::Writer params;
  params.begin_object().member("level", mcp::name(*session.log_level)).end_object();
  const json::Value level = std::move(params).finish_value();
  for (const std::shared_ptr<UpstreamConnection>& connection : services_->connections.of(session)) {
    if (!connection->is_ready() || connection->server().era != mcp::Era::sessions) continue;
    if (!connection->server().capabilities.has("logging")) continue;
    connection->request(connection->prepare(mcp::name(mcp::Method::set_level), level), {});
  }
}

// A server of both eras may report something else in each. Upstream::identity is what it reported
// first, until the connection that callers without a session share is ready.
void UpstreamEvents::on(UpstreamConnection& connection, const mcp::Ready& /*ready*/) {
  Upstream& upstream = services_->upstreams.of(connection);
  if (connection.times_ready() > 1) ++upstream.restarts;
  const bool is_first = !upstream.identity;
  if (is_first || &connection == upstream.shared.get()) upstream.identity = connection.server();
  if (is_first) on_first_identity_();
  services_->lists.on_ready(connection);
  if (connection.server().era == mcp::Era::sessions) {
    for (const ClientSession* session : services_->connections.sessions_on(connection)) {
      if (session->log_level) set_log_level(*session);
    }
  }
  services_->subscriptions.on_ready(connection);
  for (const std::shared_ptr<ClientCall>& call : services_->open_calls.on(connection)) {
    call->on_ready();
  }
  services_->environment.loop.defer(alive_.guarded([this, weak = connection.weak_from_this()] {
    if (const auto one = weak.lock()) services_->subscriptions.update(one);
  }));
}

void UpstreamEvents::on(UpstreamConnection& connection, const mcp::Broken& broken) {
  services_->subscriptions.on_broken(connection);
  Upstream& upstream = services_->upstreams.of(connection);
  ++upstream.failures;
  upstream.was_down = true;
  upstream.last_failure = broken.error;
  services_->environment.log({.level = serve::LogLine::Level::warning,
                              .event = "upstream_broke",
                              .note = broken.error.message,
                              .upstream = connection.settings().name});
}

void UpstreamEvents::on(UpstreamConnection& connection, const mcp::ServerRequest& question) {
  mcp::ServerRequest shown = question;
  shown.request.params = show_texts(services_->environment.settings,
                                    RedactionChannel::notifications, question.request.params);
  services_->elicitations.on_question(connection, shown);
}

void UpstreamEvents::on(UpstreamConnection& connection,
                        const mcp::ServerRequestWithdrawn& withdrawn) {
  services_->elicitations.on_withdrawn(connection, withdrawn.key);
}

bool UpstreamEvents::has_many_principals(const UpstreamConnection& connection) const {
  if (services_->environment.settings.principals.empty()) return false;
  std::set<std::string> principals;
  for (const auto& call : services_->open_calls.on(connection)) {
    if (const auto channel = call->channel()) principals.insert(channel->state().principal);
  }
  for (const ClientSession* session : services_->connections.sessions_on(connection)) {
    principals.insert(session->channel.state().principal);
  }
  return principals.size() > 1;
}

// Goes to the latest open call that wants it; if there is none, to the sessions on the connection.
void UpstreamEvents::on(UpstreamConnection& connection, const mcp::LogReport& logged) {
  if (has_many_principals(connection)) return;
  const std::string_view method = mcp::name(mcp::Method::message);
  const json::Value params =
      show_value(services_->environment.settings, RedactionChannel::notifications, logged.params);
  const OpenCalls::List calls = services_->open_calls.on(connection);
  for (auto it = calls.rbegin(); it != calls.rend(); ++it) {
    ClientCall& call = **it;
    if (call.is_parked()) continue;
    const auto& level = call.call().log_level;
    if (!call.is_from_session() && !(level && logged.message.level >= *level)) continue;
    call.notify(method, params.view());
    return;
  }
  for (const ClientSession* session : services_->connections.sessions_on(connection)) {
    if (session->has_session) session->channel.notify(std::nullopt, method, params.view());
  }
}

void UpstreamEvents::on(UpstreamConnection& connection, const mcp::ListChanged& changed) {
  services_->lists.on_list_changed(connection, changed.kind);
}

void UpstreamEvents::on(UpstreamConnection& connection, const mcp::ResourceUpdated& updated) {
  for (const ClientSession* session : services_->connections.sessions_on(connection)) {
    session->channel.resource_updated(updated.uri);
  }
}

void UpstreamEvents::on(UpstreamConnection& connection, const mcp::Notification& notification) {
  if (notification.method.starts_with("notifications/tasks")) {
    forward_task_notification(connection, notification);
    return;
  }
  if (has_many_principals(connection)) return;
  const json::Value params = show_value(services_->environment.settings,
                                        RedactionChannel::notifications, notification.params);
  for (const ClientSession* session : services_->connections.sessions_on(connection)) {
    if (!session->has_session) continue;
    session->channel.notify(std::nullopt, notification.method, params.view());
  }
}

// Goes to the clients with a session, and to those without that listen to the task. With
// principals, only to the principal that started it.
void UpstreamEvents::forward_task_notification(const UpstreamConnection& connection,
                                               const mcp::Notification& notification) const {
  const auto& redaction = services_->environment.settings.answers.redaction;
  const Upstream& upstream = services_->upstreams.of(connection);
  const std::string id = json::string_member(notification.params.view(), "taskId").value_or("");
  const std::string shown =
      services_->upstreams.is_single() ? id : shown_id(upstream.settings.name, id);
  for (const ClientSession* session : services_->connections.sessions_on(connection)) {
    std::vector<std::optional<mcp::CallKey>> about;
    if (session->has_session) about.emplace_back(std::nullopt);
    for (const auto& [call, filter] : session->listens) {
      if (filter.wants_task(shown)) about.emplace_back(call);
    }
    if (about.empty()) continue;
    if (!services_->environment.settings.principals.empty() &&
        !services_->tasks.find(session->channel.state().principal, id, upstream)) {
      continue;
    }
    mcp::Call call;
    call.caller = session->caller;
    const bool has_contract = services_->local.contract_for(call, session->channel).has_value();
    const json::Value params = services_->tasks.show_notification(
        upstream, notification.params, redaction ? &*redaction : nullptr, has_contract);
    for (const auto& one : about) {
      session->channel.notify(one, notification.method, params.view());
    }
  }
}

void UpstreamEvents::on(UpstreamConnection& connection, const client::ErrorLine& line) {
  services_->environment.log(
      {.event = "upstream_said",
       .note = show_text(services_->environment.settings, RedactionChannel::stderr_, line.text),
       .upstream = connection.settings().name});
}

void UpstreamEvents::on(UpstreamConnection& connection, const client::Noise& noise) {
  services_->environment.log({.level = serve::LogLine::Level::warning,
                              .event = "upstream_noise",
                              .note = noise.error.message,
                              .upstream = connection.settings().name});
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream_events.h"

#include "enfold/base/hidden_text.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/mcp/types/hidden_text.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

// What the server reports about itself, without hidden characters; logs a warning if it had any.
mcp::ServerIdentity identity_of(const UpstreamConnection& connection,
                                const Environment& environment) {
  mcp::ServerIdentity shown = connection.server();
  const std::optional<json::Value> info = mcp::without_hidden_text(shown.info.view());
  if (info) shown.info = *info;
  std::string instructions = without_hidden(shown.instructions);
  if (!info && instructions == shown.instructions) return shown;
  shown.instructions = std::move(instructions);
  environment.log({.level = serve::LogLine::Level::warning,
                   .event = "hidden_text",
                   .note = "the server has hidden characters in its name or instructions, which "
                           "were removed",
                   .upstream = connection.settings().name});
  return shown;
}

}  // namespace

void UpstreamEvents::on_event(UpstreamConnection& connection, client::Event event) {
  std::visit([&](const auto& one) { on(connection, one); }, event);
}

std::shared_ptr<const Settings> UpstreamEvents::settings_for_worker() const {
  if (!settings_) settings_ = std::make_shared<const Settings>(services_->environment.settings);
  return settings_;
}

void UpstreamEvents::filter_reply(std::string_view method, const std::string& principal,
                                  client::CallResult result, Filtered done) const {
  const std::size_t bytes = result ? (*result)->raw().size() : 0;
  if (bytes <= kMaxBytesOnLoop) {
    gateway::filter_reply(services_->environment.settings, method, result);
    done(std::move(result));
    return;
  }
  services_->writer.lane().run(
      principal, bytes,
      [settings = settings_for_worker(), method = std::string(method),
       result = std::move(result)]() mutable {
        gateway::filter_reply(*settings, method, result);
        return std::move(result);
      },
      std::move(done));
}

std::optional<json::Value> UpstreamEvents::shown_progress(UpstreamConnection& connection,
                                                          const json::Value& params) {
  if (is_too_long(connection, mcp::name(mcp::Method::progress), params)) return std::nullopt;
  return show_value(services_->environment.settings, RedactionChannel::progress, params);
}

// The other workers may wait for an archive, and short messages behind a long one must not wait for
// that. Upstreams take turns.
void UpstreamEvents::work(const UpstreamSettings& upstream, std::size_t /*bytes*/, net::Task job,
                          net::Task done) {
  struct Read {
    net::Task job;
    net::Task done;
  };
  const auto read = std::make_shared<Read>(Read{std::move(job), std::move(done)});
  const auto end = alive_.guarded([this, read, name = upstream.name] {
    reading_.leave(name);
    read->done();
  });
  const auto start = [this, read, end, &host = services_->environment.host] {
    static_cast<void>(readers_.run([read, end, &host] {  // never refused: see kReaders
      read->job();
      host.post(end);
    }));
  };
  static_cast<void>(reading_.enter(upstream.name, start));  // no limit for waiting jobs
}

void UpstreamEvents::log_noise(UpstreamConnection& connection, std::string message) {
  Upstream& upstream = services_->upstreams.of(connection);
  if (!upstream.noise_limit.take(services_->environment.loop.now())) {
    ++upstream.unlogged_noise;
    return;
  }
  if (const std::uint64_t unlogged = std::exchange(upstream.unlogged_noise, 0); unlogged > 0) {
    message += fmt::format("; {} more were not logged", unlogged);
  }
  services_->environment.log({.level = serve::LogLine::Level::warning,
                              .event = "upstream_noise",
                              .note = std::move(message),
                              .upstream = connection.settings().name});
}

bool UpstreamEvents::is_too_long(UpstreamConnection& connection, std::string_view method,
                                 const json::Value& params) {
  const std::size_t bytes = params->raw().size();
  if (bytes <= kMaxNotificationBytes) return false;
  log_noise(connection, fmt::format("{} of {} bytes was not forwarded: it has more than {}", method,
                                    bytes, kMaxNotificationBytes));
  return true;
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

// A server of both eras may report a different identity in each. Upstream::identity is the one
// reported first, until Upstream::shared is ready.
void UpstreamEvents::on(UpstreamConnection& connection, const mcp::Ready& /*ready*/) {
  Upstream& upstream = services_->upstreams.of(connection);
  if (connection.times_ready() > 1) ++upstream.restarts;
  const bool is_first = !upstream.identity;
  if (is_first || &connection == upstream.shared.get()) {
    upstream.identity = identity_of(connection, services_->environment);
  }
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
  // In the stateless era this opens subscriptions/listen; deferred, so that the waiting calls are
  // sent first. In the session era on_ready has sent resources/subscribe already.
  services_->environment.loop.defer(alive_.guarded([this, weak = connection.weak_from_this()] {
    if (const auto one = weak.lock()) services_->subscriptions.update(one);
  }));
}

void UpstreamEvents::on(UpstreamConnection& connection, const mcp::Broken& broken) {
  std::erase_if(on_worker_, [&](const auto& one) { return one.first.first == &connection; });
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
  const std::size_t bytes = question.request.params->raw().size();
  const auto show = [settings = settings_for_worker()](mcp::ServerRequest asked) {
    asked.request.params =
        show_value(*settings, RedactionChannel::notifications, std::move(asked.request.params));
    return asked;
  };
  if (bytes <= kMaxBytesOnLoop) {
    services_->elicitations.on_question(connection, show(question));
    return;
  }
  const std::shared_ptr<ClientCall> call = services_->open_calls.last_on(connection);
  const std::shared_ptr<serve::ClientChannel> channel = call ? call->channel() : nullptr;
  const std::uint64_t number = ++last_on_worker_;
  on_worker_.insert_or_assign({&connection, question.key}, number);
  services_->writer.lane().run(
      channel ? channel->state().principal : std::string(), bytes,
      [show, question] { return show(question); },
      alive_.guarded([this, number, from = &connection,
                      weak = connection.weak_from_this()](const mcp::ServerRequest& asked) {
        const auto found = on_worker_.find({from, asked.key});
        if (found == on_worker_.end() || found->second != number) return;
        on_worker_.erase(found);
        if (const auto one = weak.lock()) services_->elicitations.on_question(*one, asked);
      }));
}

void UpstreamEvents::on(UpstreamConnection& connection,
                        const mcp::ServerRequestWithdrawn& withdrawn) {
  if (on_worker_.erase({&connection, withdrawn.key}) > 0) return;
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

// The log message goes to the latest open call that wants it; if there is none, to the sessions on
// the connection.
void UpstreamEvents::on(UpstreamConnection& connection, const mcp::LogReport& logged) {
  const std::string_view method = mcp::name(mcp::Method::message);
  if (has_many_principals(connection) || is_too_long(connection, method, logged.params)) return;
  const json::Value params =
      show_value(services_->environment.settings, RedactionChannel::notifications, logged.params);
  const OpenCalls::List calls = services_->open_calls.on(connection);
  for (auto it = calls.rbegin(); it != calls.rend(); ++it) {
    ClientCall& call = **it;
    if (!call.is_awaited()) continue;
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
  const Upstream& upstream = services_->upstreams.of(connection);
  const std::string prefixed = shown_uri(upstream, updated.uri);
  const bool is_owner = !services_->resources.belongs_to_another(updated.uri, upstream);
  for (const ClientSession* session : services_->connections.sessions_on(connection)) {
    if (session->wants_updates_of(prefixed)) session->channel.resource_updated(prefixed);
    if (is_owner) session->channel.resource_updated(updated.uri);
  }
}

void UpstreamEvents::on(UpstreamConnection& connection, const mcp::Notification& notification) {
  if (is_too_long(connection, notification.method, notification.params)) return;
  if (notification.method.starts_with("notifications/tasks")) {
    forward_task_notification(connection, notification);
    return;
  }
  if (has_many_principals(connection)) return;
  const Settings& settings = services_->environment.settings;
  const std::string method =
      show_text(settings, RedactionChannel::notifications, notification.method);
  const json::Value params =
      show_value(settings, RedactionChannel::notifications, notification.params);
  for (const ClientSession* session : services_->connections.sessions_on(connection)) {
    if (!session->has_session) continue;
    session->channel.notify(std::nullopt, method, params.view());
  }
}

// The notification goes to the clients with a session, and to those without that listen to the
// task. With principals, only to clients of the principal that started the task.
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
  log_noise(connection, noise.error.message);
}

}  // namespace enfold::gateway

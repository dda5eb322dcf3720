// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/subscriptions.h"

#include "enfold/gateway/policy/names.h"

#include <algorithm>
#include <unordered_set>

namespace enfold::gateway {
namespace {

// Pause before subscriptions/listen is sent again, after the upstream or a proxy has ended its
// stream. It doubles each time, until a stream has lasted longer than the longest pause.
constexpr std::chrono::seconds kFirstPause{1};
constexpr std::chrono::seconds kLongestPause{60};

// `all` may contain texts twice afterwards; see remove_duplicates().
void add(mcp::SubscriptionFilter& all, const mcp::SubscriptionFilter& more) {
  all.tools = all.tools || more.tools;
  all.prompts = all.prompts || more.prompts;
  all.resources = all.resources || more.resources;
  all.uris.insert(all.uris.end(), more.uris.begin(), more.uris.end());
  all.tasks.insert(all.tasks.end(), more.tasks.begin(), more.tasks.end());
}

// Sessions of one principal may have very many subscriptions together, so this takes linear time.
void remove_duplicates(mcp::SubscriptionFilter& filter) {
  const auto remove_from = [](std::vector<std::string>& texts) {
    std::unordered_set<std::string> seen;
    std::erase_if(texts, [&](const std::string& text) { return !seen.insert(text).second; });
  };
  remove_from(filter.uris);
  remove_from(filter.tasks);
}

// Of the tasks `shown`, as clients see them (UPSTREAM__ID), those of this upstream, by the ids that
// it uses.
std::vector<std::string> tasks_at(const std::string& upstream,
                                  const std::vector<std::string>& shown) {
  const std::string prefix = shown_id(upstream, "");
  std::vector<std::string> ids;
  for (const std::string& id : shown) {
    if (id.starts_with(prefix)) ids.push_back(id.substr(prefix.size()));
  }
  return ids;
}

// Whether `all` contains everything in `some`.
bool includes(const mcp::SubscriptionFilter& all, const mcp::SubscriptionFilter& some) {
  mcp::SubscriptionFilter sum = all;
  add(sum, some);
  remove_duplicates(sum);
  return sum == all;
}

// Sends a request about a resource; its result is ignored.
void request(UpstreamConnection& connection, mcp::Method method, const std::string& uri) {
  json::Writer params;
  params.begin_object().member("uri", uri).end_object();
  connection.request(connection.prepare(mcp::name(method), std::move(params).finish_value()),
                     /*events=*/{});
}

bool is_stateless(const UpstreamConnection& connection) {
  return connection.server().era == mcp::Era::stateless;
}

// What the upstream must report for this session, with the URIs and ids that clients see.
mcp::SubscriptionFilter wanted_by(const ClientSession& session,
                                  const UpstreamConnection& connection) {
  mcp::SubscriptionFilter wanted;
  for (const auto& [call, filter] : session.listens) add(wanted, filter);
  // A client with a session is notified of changed lists without a subscription, and of resources
  // that it subscribed to. An upstream of the session era got the same resources/subscribe itself.
  if (session.has_session && is_stateless(connection)) {
    add(wanted, {/*tools=*/true, /*prompts=*/true, /*resources=*/true, session.subscribed});
  }
  return wanted;
}

}  // namespace

/// An open subscriptions/listen of a client.
class Subscriptions::Listener final : public serve::OpenCall {
 public:
  Listener(Subscriptions& subscriptions, serve::ClientChannel& channel, mcp::CallKey call)
      : cancel_(subscriptions.alive_.guarded([&subscriptions, &channel, call] {
          ClientSession* const session = subscriptions.sessions_.find(&channel);
          if (session != nullptr && session->listens.erase(call) > 0) subscriptions.update_shared();
        })) {}
  void cancel(serve::CancelCause /*cause*/) override { cancel_(); }

 private:
  std::function<void()> cancel_;
};

std::shared_ptr<serve::OpenCall> Subscriptions::listen(serve::ClientChannel& channel,
                                                       const mcp::SubscriptionOpened& listening) {
  sessions_.of(channel).listens[listening.call] = listening.filter;
  update_shared();
  return std::make_shared<Listener>(*this, channel, listening.call);
}

void Subscriptions::update_shared() {
  for (const auto& upstream : upstreams_.current()) {
    if (upstream->shared) update(upstream->shared);
    for (const auto& [principal, connection] : upstream->of_principals) update(connection);
  }
}

mcp::SubscriptionFilter Subscriptions::wanted_on(const UpstreamConnection& connection) const {
  mcp::SubscriptionFilter wanted;
  for (const ClientSession* session : connections_.sessions_on(connection)) {
    add(wanted, wanted_by(*session, connection));
  }
  remove_duplicates(wanted);
  const Upstream& upstream = upstreams_.of(connection);
  wanted.uris = uris_at(upstream, wanted.uris);
  if (!is_stateless(connection)) {
    wanted.tasks.clear();  // in the session era task notifications need no subscription
  } else if (!upstreams_.is_single()) {
    wanted.tasks = tasks_at(upstream.settings.name, wanted.tasks);
  }
  return wanted;
}

// Of the resources `shown`, those that belong to this upstream or whose owner is not known, by the
// URIs that it uses.
std::vector<std::string> Subscriptions::uris_at(const Upstream& upstream,
                                                const std::vector<std::string>& shown) const {
  std::vector<std::string> uris;
  for (const std::string& one : shown) {
    Route route = resources_.route(one);
    if (route.upstream == nullptr || route.upstream == &upstream) {
      uris.push_back(std::move(route.name));
    }
  }
  return uris;
}

Subscriptions::Active& Subscriptions::active_on(
    const std::shared_ptr<UpstreamConnection>& connection) {
  std::erase_if(active_, [](const auto& one) { return one.second.connection.expired(); });
  Active& active = active_[connection.get()];
  active.connection = connection;
  return active;
}

void Subscriptions::update(const std::shared_ptr<UpstreamConnection>& connection) {
  if (!connection->is_ready()) return;  // UpstreamEvents calls this again when it is ready
  const Upstream& upstream = upstreams_.of(*connection);
  if (upstreams_.with_number(upstream.number) != &upstream) return;  // not current: see Reload
  mcp::SubscriptionFilter wanted = wanted_on(*connection);
  if (wanted == mcp::SubscriptionFilter{} && !active_.contains(connection.get())) return;
  Active& active = active_on(connection);
  if (active.filter == wanted) return;
  const mcp::SubscriptionFilter before = std::exchange(active.filter, std::move(wanted));
  if (is_stateless(*connection)) {
    listen_on(connection, active);
    return;
  }
  const auto change = [&](mcp::Method method, const auto& uris, const auto& others) {
    const std::unordered_set<std::string_view> known(others.begin(), others.end());
    for (const std::string& uri : uris) {
      if (!known.contains(uri)) request(*connection, method, uri);
    }
  };
  const std::vector<std::string> now = active.filter.uris;
  change(mcp::Method::resources_subscribe, now, before.uris);
  change(mcp::Method::resources_unsubscribe, before.uris, now);
}

// Most new sessions want only what is subscribed already. The check is cheap, while update() reads
// all sessions of the connection.
void Subscriptions::update_for_session(const std::shared_ptr<UpstreamConnection>& connection,
                                       const ClientSession& session) {
  const auto active = active_.find(connection.get());
  const bool is_active = active != active_.end() && active->second.connection.lock() == connection;
  if (is_active && includes(active->second.filter, wanted_by(session, *connection))) return;
  update(connection);
}

void Subscriptions::listen_on(const std::shared_ptr<UpstreamConnection>& connection,
                              Active& active) {
  if (const auto request = std::exchange(active.request, std::nullopt)) {
    connection->cancel(*request, "what is wanted has changed");
  }
  if (active.reopen) active.reopen->cancel();
  if (active.filter == mcp::SubscriptionFilter{}) return;
  json::Writer params;
  params.begin_object().key("notifications");
  mcp::write_filter(params, active.filter);
  params.end_object();
  mcp::CallOptions options =
      connection->prepare(mcp::name(mcp::Method::listen), std::move(params).finish_value());
  options.idle_timeout = mcp::Time(0);  // 0: none
  options.call_timeout = mcp::Time(0);
  active.opened = loop_.now();
  // `done` is called when the upstream ends the stream or the request fails, not after cancel().
  active.request = connection->request(
      std::move(options),
      {.done = alive_.guarded([this, which = connection.get()](const client::CallResult& result) {
        on_stream_end(*which, result);
      })});
}

// If the server refused subscriptions/listen, it is not sent again before the next update().
void Subscriptions::on_stream_end(UpstreamConnection& connection,
                                  const client::CallResult& result) {
  const auto found = active_.find(&connection);
  if (found == active_.end()) return;
  if (!connection.is_ready() || (!result && result.error().refusal)) {
    active_.erase(found);
    return;
  }
  Active& active = found->second;
  active.request.reset();
  const bool has_lasted = loop_.now() - active.opened > kLongestPause;
  active.pause = has_lasted
                     ? kFirstPause
                     : std::clamp<net::Duration>(2 * active.pause, kFirstPause, kLongestPause);
  if (!active.reopen) {
    active.reopen = std::make_unique<net::Timer>(loop_, [this, weak = active.connection] {
      const auto one = weak.lock();
      const auto wanted = active_.find(one.get());
      if (one && one->is_ready() && wanted != active_.end()) listen_on(one, wanted->second);
    });
  }
  active.reopen->set_after(active.pause);
}

void Subscriptions::on_ready(UpstreamConnection& connection) {
  const Upstream& upstream = upstreams_.of(connection);
  for (const ClientSession* session : connections_.sessions_on(connection)) {
    if (is_stateless(connection)) break;
    for (const std::string& uri : uris_at(upstream, session->subscribed)) {
      request(connection, mcp::Method::resources_subscribe, uri);
    }
  }
  // Nothing is subscribed on the new connection: the next update() sends the whole filter.
  active_.erase(&connection);
}

bool Subscriptions::needs(const UpstreamConnection& connection) const {
  const auto active = active_.find(&connection);
  const std::size_t listens = active != active_.end() && active->second.request ? 1 : 0;
  if (connection.open_requests() > listens) return true;
  const Upstream& upstream = upstreams_.of(connection);
  return std::ranges::any_of(
      connections_.sessions_on(connection), [&](const ClientSession* session) {
        return !uris_at(upstream, session->subscribed).empty() ||
               std::ranges::any_of(session->listens, [&](const auto& one) {
                 return !uris_at(upstream, one.second.uris).empty() || !one.second.tasks.empty();
               });
      });
}

void Subscriptions::stop(UpstreamConnection& connection) {
  const auto found = active_.find(&connection);
  if (found == active_.end()) return;
  const std::optional<mcp::CallKey> request = found->second.request;
  active_.erase(found);
  if (request) connection.cancel(*request, "no client listens any more");
}

}  // namespace enfold::gateway

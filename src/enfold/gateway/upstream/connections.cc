// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/connections.h"

#include "enfold/gateway/policy/client_share.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

// Pause between two notifications of a changed list to a client: some servers add a thousand tools
// and send a notification for each.
constexpr std::chrono::seconds kNotificationPause{1};

// If a server may send requests to the client during a call, the call leases a connection: until it
// ends, no other call uses that connection. Afterwards the connection stays open for later calls.
// If an upstream has more leased connections than this, a new lease closes one without a call.
constexpr std::size_t kMaxKeptLeased = 8;

constexpr std::chrono::seconds kIdleCheck{15};  // between two checks for idle processes

bool has_process(const Upstream& upstream) {
  return std::holds_alternative<client::StdioTarget>(upstream.settings.target);
}

// Whether this is a connection to the upstream: a connection refers to its upstream's settings.
bool is_to(const UpstreamConnection& connection, const Upstream& upstream) {
  return &connection.settings() == &upstream.settings;
}

// Whether the calls of this principal may use Upstream::shared. A server of the session era keeps
// state for a connection that other principals must not see; a stateless one has no such state.
// Over HTTP each principal has a connection of its own in both eras: a connection has a limited
// number of sockets, and slow calls of one principal must not use those of the others.
bool may_use_shared(const std::string& principal, const Upstream& upstream) {
  const bool is_stateless = upstream.identity && upstream.identity->era == mcp::Era::stateless;
  return (is_stateless && has_process(upstream) && !upstream.settings.is_shared) ||
         upstream.first_principal.empty() || upstream.first_principal == principal;
}

// Whether a server may send requests to this client.
bool accepts_requests(const mcp::Caller& caller) {
  return caller.capabilities.has("sampling") || caller.capabilities.has("elicitation") ||
         caller.capabilities.has("roots");
}

}  // namespace

json::Value enfold_info(const std::string& version) {
  json::Writer writer;
  writer.begin_object().member("name", "enfold").member("version", version).end_object();
  return std::move(writer).finish_value();
}

std::shared_ptr<const mcp::Caller> enfold_as_client(const std::string& version) {
  auto caller = std::make_shared<mcp::Caller>();
  caller->client_info = enfold_info(version);
  return caller;
}

bool ClientSession::wants_updates_of(const std::string& uri) const {
  const auto has = [&](const std::vector<std::string>& uris) {
    return std::ranges::find(uris, uri) != uris.end();
  };
  return has(subscribed) ||
         std::ranges::any_of(listens, [&](const auto& one) { return has(one.second.uris); });
}

void ClientSession::tell_list_changed(mcp::ListKind kind) {
  std::unique_ptr<Throttle>& notices = list_notices_[kind];
  if (!notices) {
    notices = std::make_unique<Throttle>(
        loop, kNotificationPause, [&to = channel, kind](const auto& done) {
          done();  // the pause starts now, because sending needs no wait
          to.list_changed(kind);
        });
  }
  notices->request();
}

std::unique_ptr<ClientSession> ClientSessions::remove(serve::ClientChannel& channel) {
  const auto found = sessions_.find(&channel);
  if (found == sessions_.end()) return nullptr;
  std::unique_ptr<ClientSession> session = std::move(found->second);
  sessions_.erase(found);
  return session;
}

std::vector<ClientSession*> ClientSessions::all() const {
  std::vector<ClientSession*> out;
  out.reserve(sessions_.size());
  for (const auto& [channel, session] : sessions_) out.push_back(session.get());
  return out;
}

void ClientSessions::tell_list_changed(mcp::ListKind kind, const serve::ClientChannel* except) {
  std::vector<const serve::ClientChannel*> channels;
  for (const auto& [channel, session] : sessions_) {
    if (channel != except) channels.push_back(channel);
  }
  // Sending to a client may close its connection, or those of others.
  for (const serve::ClientChannel* const channel : channels) {
    if (ClientSession* const session = find(channel)) session->tell_list_changed(kind);
  }
}

Connections::Connections(const Environment& environment, UpstreamSet& upstreams,
                         ClientSessions& sessions, OpenCalls& calls, UpstreamOwner& upstream_owner)
    : environment_(environment),
      upstreams_(upstreams),
      sessions_(sessions),
      calls_(calls),
      upstream_owner_(upstream_owner),
      processes_(environment.settings.max_processes),
      idle_check_(environment.loop, [this] { end_idle_processes(); }) {
  calls_.set_on_end(alive_.guarded([this] { retire_unused_later(); }));
}

std::shared_ptr<UpstreamConnection> Connections::make(Upstream& upstream,
                                                      std::shared_ptr<const mcp::Caller> caller,
                                                      std::optional<mcp::Era> known_era) {
  if (!environment_.settings.one_client && has_process(upstream) && !idle_check_.is_set()) {
    idle_check_.set_after(
        std::min<net::Duration>(kIdleCheck, upstream.settings.process_idle_timeout));
  }
  // The connection may live much longer than the request that needs it.
  if (caller && caller->era == mcp::Era::stateless) caller = mcp::without_message(*caller);
  auto made =
      std::make_shared<UpstreamConnection>(environment_.loop, upstream.settings, upstream.breakers,
                                           upstream_owner_, std::move(caller), known_era);
  ++upstream.connections;
  // Runs when the connection is destroyed.
  made->hold({nullptr, alive_.guarded([this, &upstream](void* /*nothing*/) {
                --upstream.connections;
                retire_unused_later();
              })});
  made->set_on_request_end(alive_.guarded([this] { retire_unused_later(); }));
  return made;
}

std::shared_ptr<UpstreamConnection> Connections::make_for(serve::ClientChannel& channel,
                                                          Upstream& upstream,
                                                          std::shared_ptr<const mcp::Caller> caller,
                                                          std::optional<mcp::Era> known_era) {
  auto made = make(upstream, std::move(caller), known_era);
  if (!has_process(upstream)) return made;
  const ClientShare share = share_of(environment_.settings, channel.state());
  std::shared_ptr<void> place = processes_.take(share.owner, share.limit);
  if (!place) {
    made->refuse({ErrorCode::limit_exceeded,
                  std::string(kNoProcess),
                  {},
                  "raise max_processes, or set shared = true for servers that keep nothing for a "
                  "session"});
  }
  made->hold(std::move(place));
  return made;
}

// With one client: the shared connection. A client with a session: the connection of its session,
// or of its principal if the upstream is shared. A stateless client: the connection of its
// principal, or a leased one if the server has sessions and may send requests to the client.
std::shared_ptr<UpstreamConnection> Connections::for_call(serve::ClientChannel& channel,
                                                          const mcp::Call& call,
                                                          Upstream& upstream) {
  const mcp::Caller& caller = *call.caller;
  if (environment_.settings.one_client) {
    // The connection was made for the client's first message, which may have been without the
    // capabilities of the client; then it is replaced.
    const bool is_outdated =
        upstream.shared && caller.era == mcp::Era::sessions &&
        !(upstream.shared->on_behalf_of()->capabilities == caller.capabilities);
    if (is_outdated) retire(std::move(upstream.shared));
    if (!upstream.shared) upstream.shared = make(upstream, call.caller, caller.era);
    return upstream.shared;
  }
  if (upstream.settings.is_shared) {
    // The server sees Enfold as its client, which cannot be asked anything: nothing would say which
    // of the sessions to ask.
    return for_principal(channel, upstream, enfold_as_client(environment_.settings.version));
  }
  if (caller.era == mcp::Era::sessions) {
    ClientSession& session = sessions_.of(channel);
    const auto known = session.connections.find(&upstream);
    if (known != session.connections.end()) return known->second;
    auto made = make_for(channel, upstream, call.caller, mcp::Era::sessions);
    if (made->is_refused()) return made;  // not kept: the next call tries again
    owners_[made.get()] = &session;
    return session.connections[&upstream] = std::move(made);
  }
  // The era is not known before the first handshake.
  const bool may_be_stateless = !upstream.identity || upstream.identity->era == mcp::Era::stateless;
  // What a server lists may depend on the capabilities of the client, so a list request needs the
  // same connection as a call.
  const mcp::MethodInfo& method = mcp::info(call.method);
  if (may_be_stateless || !accepts_requests(caller) ||
      !(method.may_require_input || method.is_paged)) {
    return for_principal(channel, upstream, call.caller);
  }
  return lease(channel, call, upstream);
}

std::shared_ptr<UpstreamConnection> Connections::for_principal(
    serve::ClientChannel& channel, Upstream& upstream, std::shared_ptr<const mcp::Caller> caller) {
  const std::string& principal = channel.state().principal;
  if (upstream.first_principal.empty()) upstream.first_principal = principal;
  if (may_use_shared(principal, upstream)) {
    if (!upstream.shared)
      upstream.shared = make(upstream, std::move(caller), /*known_era=*/std::nullopt);
    return upstream.shared;
  }
  const auto known = upstream.of_principals.find(principal);
  if (known != upstream.of_principals.end()) return known->second;
  auto made = make_for(channel, upstream, std::move(caller), /*known_era=*/std::nullopt);
  if (!made->is_refused()) upstream.of_principals[principal] = made;
  return made;
}

std::shared_ptr<UpstreamConnection> Connections::lease(serve::ClientChannel& channel,
                                                       const mcp::Call& call, Upstream& upstream) {
  const std::string& principal = channel.state().principal;
  for (const auto& [owner, connection] : upstream.leased) {
    const bool is_same =
        owner == principal && connection->on_behalf_of()->capabilities == call.caller->capabilities;
    if (is_same && !calls_.any_wanted_on(*connection)) return connection;
  }
  std::shared_ptr<UpstreamConnection> made =
      make_for(channel, upstream, call.caller, mcp::Era::sessions);
  if (made->is_refused()) return made;
  upstream.leased.push_back({principal, made});
  if (upstream.leased.size() <= kMaxKeptLeased) return made;
  const auto last = upstream.leased.end() - 1;
  const auto idle = std::find_if(upstream.leased.begin(), last,
                                 [&](const auto& one) { return !calls_.any_on(*one.connection); });
  if (idle != last) {
    retire(std::move(idle->connection));
    upstream.leased.erase(idle);
  }
  return made;
}

std::shared_ptr<UpstreamConnection> Connections::of(const ClientSession& session,
                                                    const Upstream& upstream) const {
  const auto found = session.connections.find(&upstream);
  if (found != session.connections.end()) return found->second;
  const std::string& principal = session.channel.state().principal;
  if (may_use_shared(principal, upstream)) return upstream.shared;
  const auto of_principal = upstream.of_principals.find(principal);
  return of_principal != upstream.of_principals.end() ? of_principal->second : nullptr;
}

std::vector<std::shared_ptr<UpstreamConnection>> Connections::of(
    const ClientSession& session) const {
  std::vector<std::shared_ptr<UpstreamConnection>> out;
  for (const auto& upstream : upstreams_.current()) {
    if (std::shared_ptr<UpstreamConnection> connection = of(session, *upstream))
      out.push_back(std::move(connection));
  }
  return out;
}

std::vector<ClientSession*> Connections::sessions_on(const UpstreamConnection& connection) const {
  if (const auto owner = owners_.find(&connection); owner != owners_.end()) return {owner->second};
  const Upstream& upstream = upstreams_.of(connection);
  std::vector<ClientSession*> out = sessions_.all();
  std::erase_if(out,
                [&](const auto* session) { return of(*session, upstream).get() != &connection; });
  return out;
}

std::vector<std::shared_ptr<UpstreamConnection>> Connections::to(const Upstream& upstream) const {
  std::vector<std::shared_ptr<UpstreamConnection>> all;
  for (const Lease& lease : upstream.leased) all.push_back(lease.connection);
  if (upstream.shared) all.push_back(upstream.shared);
  for (const auto& [principal, connection] : upstream.of_principals) all.push_back(connection);
  for (const auto& [connection, session] : owners_) {
    if (is_to(*connection, upstream)) all.push_back(session->connections.at(&upstream));
  }
  return all;
}

// The connection may be calling this function, so it is closed after it has returned.
void Connections::retire(std::shared_ptr<UpstreamConnection> connection) {
  if (!connection) return;
  UpstreamConnection* const retired = connection.get();
  owners_.erase(retired);
  retiring_.push_back(std::move(connection));
  environment_.loop.defer(alive_.guarded([this, retired] {
    retired->close(alive_.guarded([this, retired] {
      std::erase_if(retiring_, [&](const auto& one) { return one.get() == retired; });
      retire_unused();
    }));
  }));
}

void Connections::retire_all_of(ClientSession& session) {
  for (auto& [upstream, connection] : session.connections) retire(std::move(connection));
  session.connections.clear();
}

void Connections::drop(Upstream& upstream, const std::shared_ptr<UpstreamConnection>& connection) {
  if (const auto owner = owners_.find(connection.get()); owner != owners_.end()) {
    owner->second->connections.erase(&upstream);
  }
  std::erase_if(upstream.leased,
                [&](const Lease& lease) { return lease.connection == connection; });
  if (upstream.shared == connection) upstream.shared.reset();
  std::erase_if(upstream.of_principals, [&](const auto& one) { return one.second == connection; });
  retire(connection);
}

void Connections::end_idle_processes() {
  const net::TimePoint now = environment_.loop.now();
  net::Duration next = kIdleCheck;
  for (const auto& upstream : upstreams_.current()) {
    if (!has_process(*upstream)) continue;
    const net::Duration limit = upstream->settings.process_idle_timeout;
    next = std::min(next, limit);
    for (const std::shared_ptr<UpstreamConnection>& connection : to(*upstream)) {
      const bool is_used = now - connection->last_used() < limit || connection->is_connecting() ||
                           calls_.any_on(*connection) || is_needed_(*connection);
      if (!is_used) drop(*upstream, connection);
    }
  }
  idle_check_.set_after(next);
}

// A reload moves the upstreams that it removed to `leaving`. An upstream stays there until its last
// call has ended and its connections, which refer to it, are destroyed. A list that is being
// fetched keeps its connection too.
void Connections::retire_unused() {
  const auto is_used = [&](const std::shared_ptr<UpstreamConnection>& connection) {
    return calls_.any_on(*connection) || connection->open_requests() > 0;
  };
  for (const auto& upstream : upstreams_.leaving()) {
    for (const std::shared_ptr<UpstreamConnection>& connection : to(*upstream)) {
      if (!is_used(connection)) drop(*upstream, connection);
    }
  }
  upstreams_.erase_leaving([](const Upstream& upstream) { return upstream.connections == 0; });
}

std::unordered_map<const UpstreamSettings*, std::size_t> Connections::count_ready() const {
  std::unordered_map<const UpstreamSettings*, std::size_t> counts;
  const auto count = [&](const UpstreamConnection* connection) {
    if (connection != nullptr && connection->is_ready()) ++counts[&connection->settings()];
  };
  for (const auto& upstream : upstreams_.current()) {
    count(upstream->shared.get());
    for (const Lease& lease : upstream->leased) count(lease.connection.get());
    for (const auto& [principal, connection] : upstream->of_principals) count(connection.get());
  }
  for (const auto& [connection, session] : owners_) count(connection);
  return counts;
}

void Connections::close(net::Task done) {
  idle_check_.cancel();
  std::vector<std::shared_ptr<UpstreamConnection>> all = retiring_;
  for (const auto* const list :
       {&upstreams_.current(), &upstreams_.joining(), &upstreams_.leaving()}) {
    for (const auto& upstream : *list) {
      for (std::shared_ptr<UpstreamConnection>& connection : to(*upstream))
        all.push_back(std::move(connection));
    }
  }
  auto then = std::make_shared<net::Task>(std::move(done));
  auto open = std::make_shared<std::size_t>(all.size());
  if (all.empty()) environment_.loop.defer(std::move(*then));
  for (const std::shared_ptr<UpstreamConnection>& connection : all) {
    connection->close([open, then] {
      if (--*open == 0) (*then)();
    });
  }
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Makes connections to upstreams, chooses the connection for each call, and retires connections
// that are not needed any more. A client with a session has connections that only it uses; callers
// without a session share one, or lease one each while the upstream may send them requests.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/policy/session_budget.h"
#include "enfold/gateway/policy/throttle.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/gateway/upstream/upstream_set.h"
#include "enfold/serve/service.h"

namespace enfold::gateway {

struct Upstream;

/// Enfold as `clientInfo` or `serverInfo`: {"name":"enfold","version":…}
[[nodiscard]] json::Value enfold_info(const std::string& version);
/// Enfold as the client of an upstream, which cannot be asked anything.
[[nodiscard]] std::shared_ptr<const mcp::Caller> enfold_as_client(const std::string& version);

/// What the gateway keeps for one channel to a client, with a session or without.
struct ClientSession {
  ClientSession(net::Loop& on, serve::ClientChannel& to) : loop(on), channel(to) {}

  net::Loop& loop;
  serve::ClientChannel& channel;
  std::shared_ptr<const mcp::Caller> caller;  ///< from the handshake or the last call; null before
  bool has_session = false;  ///< the client has finished its handshake; never for a stateless one
  std::map<const Upstream*, std::shared_ptr<UpstreamConnection>>
      connections;  ///< connections that only this session uses
  std::optional<mcp::LogLevel> log_level;
  std::vector<std::string> subscribed;  ///< URIs of resources, by resources/subscribe
  std::map<mcp::CallKey, mcp::SubscriptionFilter> listens;  ///< open subscriptions/listen calls
  std::shared_ptr<SessionBudget> budget;  ///< null: none, not yet used, or in SessionBudgets

  /// Notifies the client that a list of this kind has changed, at most once a second.
  void tell_list_changed(mcp::ListKind kind);

 private:
  std::map<mcp::ListKind, std::unique_ptr<Throttle>> list_notices_;
};

class ClientSessions {
 public:
  explicit ClientSessions(net::Loop& loop) : loop_(loop) {}

  /// The session of this channel; created on first use.
  [[nodiscard]] ClientSession& of(serve::ClientChannel& channel) {
    std::unique_ptr<ClientSession>& session = sessions_[&channel];
    if (!session) session = std::make_unique<ClientSession>(loop_, channel);
    return *session;
  }
  [[nodiscard]] ClientSession* find(const serve::ClientChannel* channel) const {
    const auto found = sessions_.find(channel);
    return found != sessions_.end() ? found->second.get() : nullptr;
  }
  [[nodiscard]] std::unique_ptr<ClientSession> remove(serve::ClientChannel& channel);  ///< or null
  [[nodiscard]] std::vector<ClientSession*> all() const;
  /// Notifies all clients, except one if it is given, that a list has changed.
  void tell_list_changed(mcp::ListKind kind, const serve::ClientChannel* except = nullptr);

 private:
  net::Loop& loop_;
  std::unordered_map<const serve::ClientChannel*, std::unique_ptr<ClientSession>> sessions_;
};

class Connections {
 public:
  /// All arguments must outlive this object.
  Connections(const Environment& environment, UpstreamSet& upstreams, ClientSessions& sessions,
              OpenCalls& calls, UpstreamOwner& upstream_owner);

  /// Does not connect yet. `known_era`: the era to try first; nullopt: not known.
  [[nodiscard]] std::shared_ptr<UpstreamConnection> make(Upstream& upstream,
                                                         std::shared_ptr<const mcp::Caller> caller,
                                                         std::optional<mcp::Era> known_era);
  /// The connection that a call to this upstream goes over.
  [[nodiscard]] std::shared_ptr<UpstreamConnection> for_call(serve::ClientChannel& channel,
                                                             const mcp::Call& call,
                                                             Upstream& upstream);
  /// The connection that serves a session now; nullptr: there is none yet.
  [[nodiscard]] std::shared_ptr<UpstreamConnection> of(const ClientSession& session,
                                                       const Upstream& upstream) const;
  /// The connections that serve a session, of all current upstreams.
  [[nodiscard]] std::vector<std::shared_ptr<UpstreamConnection>> of(
      const ClientSession& session) const;
  /// The sessions that a connection serves; none if it is leased or retired.
  [[nodiscard]] std::vector<ClientSession*> sessions_on(const UpstreamConnection& connection) const;
  /// The connections to this upstream that are not retired.
  [[nodiscard]] std::vector<std::shared_ptr<UpstreamConnection>> to(const Upstream& upstream) const;

  /// Closes a connection gracefully and destroys it afterwards.
  void retire(std::shared_ptr<UpstreamConnection> connection);
  void retire_all_of(ClientSession& session);
  /// Retires the idle connections to leaving upstreams; destroys the upstreams that have none left.
  void retire_unused();
  /// Calls retire_unused later, because a connection may be calling this function.
  void retire_unused_later() {
    if (upstreams_.leaving().empty()) return;
    environment_.loop.defer(alive_.guarded([this] { retire_unused(); }));
  }
  /// How many connections are ready, by upstream.
  [[nodiscard]] std::unordered_map<const UpstreamSettings*, std::size_t> count_ready() const;
  /// Closes all connections, then calls `done`.
  void close(net::Task done);

 private:
  [[nodiscard]] std::shared_ptr<UpstreamConnection> for_principal(const std::string& principal,
                                                                  Upstream& upstream);
  [[nodiscard]] std::shared_ptr<UpstreamConnection> lease(const mcp::Call& call,
                                                          Upstream& upstream);

  const Environment& environment_;
  UpstreamSet& upstreams_;
  ClientSessions& sessions_;
  OpenCalls& calls_;
  UpstreamOwner& upstream_owner_;
  std::unordered_map<const UpstreamConnection*, ClientSession*>
      owners_;  ///< sessions of the connections that only one session uses
  std::vector<std::shared_ptr<UpstreamConnection>> retiring_;  ///< being closed
  Lifetime alive_;
};

}  // namespace enfold::gateway

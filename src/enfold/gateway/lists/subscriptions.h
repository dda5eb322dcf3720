// SPDX-License-Identifier: Apache-2.0
// Subscribes at upstreams to the notifications that clients want: in the stateless era by one
// subscriptions/listen request that stays open, in the session era by resources/subscribe for each
// resource.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/upstream/connections.h"
#include "enfold/gateway/upstream/upstream_set.h"

namespace enfold::gateway {

class Subscriptions {
 public:
  Subscriptions(net::Loop& loop, UpstreamSet& upstreams, Connections& connections,
                ClientSessions& sessions, ResourceOwners& resources)
      : loop_(loop),
        upstreams_(upstreams),
        connections_(connections),
        sessions_(sessions),
        resources_(resources) {}

  /// Begins a client's subscriptions/listen; it ends when the returned call is cancelled.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> listen(serve::ClientChannel& channel,
                                                        const mcp::SubscriptionOpened& listening);
  /// Subscribes at the upstream, if it is a current one, to what the sessions that use the
  /// connection want now.
  void update(const std::shared_ptr<UpstreamConnection>& connection);
  /// The same after `session`, which uses the connection, was opened. Does nothing if all that it
  /// wants is subscribed already.
  void update_for_session(const std::shared_ptr<UpstreamConnection>& connection,
                          const ClientSession& session);
  /// Calls `update` for the connections that clients share. A subscriptions/listen of a client
  /// needs only these, because a connection of one client alone belongs to a client with a session.
  void update_shared();

  /// Called when a connection is ready: subscribes again to the resources of its sessions.
  void on_ready(UpstreamConnection& connection);
  /// Called when a connection has broken: its subscriptions are gone.
  void on_broken(const UpstreamConnection& connection) { active_.erase(&connection); }
  /// Whether the process of the connection must not end: a request is open besides
  /// subscriptions/listen, or clients wait for updates of its resources or tasks. Waiting for
  /// changed lists alone is no reason.
  [[nodiscard]] bool needs(const UpstreamConnection& connection) const;
  /// Cancels the open subscriptions/listen of a connection whose upstream was removed.
  void stop(UpstreamConnection& connection);

 private:
  class Listener;
  /// What is subscribed on one connection.
  struct Active {
    /// Checked because a new connection may have the address of an old one.
    std::weak_ptr<UpstreamConnection> connection;
    mcp::SubscriptionFilter filter;  ///< with the URIs and task ids of the upstream
    // Stateless era: the open subscriptions/listen, and how it is opened again.
    std::optional<mcp::CallKey> request;  ///< nullopt: not open
    net::TimePoint opened;
    net::Duration pause{};  ///< before the next attempt; see kFirstPause
    std::unique_ptr<net::Timer> reopen;
  };
  /// What the sessions on the connection want together, as the upstream names it.
  [[nodiscard]] mcp::SubscriptionFilter wanted_on(const UpstreamConnection& connection) const;
  [[nodiscard]] std::vector<std::string> uris_at(const Upstream& upstream,
                                                 const std::vector<std::string>& shown) const;
  /// The entry of the connection in `active_`; a new one if there is none.
  [[nodiscard]] Active& active_on(const std::shared_ptr<UpstreamConnection>& connection);
  /// Replaces the open subscriptions/listen by one with `active.filter`.
  void listen_on(const std::shared_ptr<UpstreamConnection>& connection, Active& active);
  void on_stream_end(UpstreamConnection& connection, const client::CallResult& result);

  net::Loop& loop_;
  UpstreamSet& upstreams_;
  Connections& connections_;
  ClientSessions& sessions_;
  ResourceOwners& resources_;
  std::unordered_map<const UpstreamConnection*, Active> active_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Subscribes at upstreams to the notifications that clients want: by one long-running
// subscriptions/listen request in the stateless era, by resources/subscribe for each resource in
// the session era.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/upstream/connections.h"
#include "enfold/gateway/upstream/upstream_set.h"

namespace enfold::gateway {

class Subscriptions {
 public:
  Subscriptions(UpstreamSet& upstreams, Connections& connections, ClientSessions& sessions,
                ResourceOwners& resources)
      : upstreams_(upstreams),
        connections_(connections),
        sessions_(sessions),
        resources_(resources) {}

  /// Begins a client's subscriptions/listen; it ends when the returned call is cancelled.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> listen(serve::ClientChannel& channel,
                                                        const mcp::SubscriptionOpened& listening);
  /// Brings the subscriptions of a connection up to date.
  void update(const std::shared_ptr<UpstreamConnection>& connection);
  /// The same after a session was opened that uses the connection.
  void add_session(const std::shared_ptr<UpstreamConnection>& connection,
                   const ClientSession& session);
  /// Updates the connections that clients share. A subscriptions/listen of a client concerns only
  /// these, because stateless clients have no connections of their own.
  void update_shared();

  /// Called when a connection is ready: subscribes again to the resources of its sessions.
  void on_ready(UpstreamConnection& connection);
  void on_broken(const UpstreamConnection& connection) { active_.erase(&connection); }
  /// Ends the subscriptions of a connection.
  void stop(UpstreamConnection& connection);

 private:
  class Listener;
  struct Active {
    std::weak_ptr<UpstreamConnection>
        on;  ///< checked because a new connection may have the address of an old one
    mcp::SubscriptionFilter filter;
    std::optional<mcp::CallKey>
        request;  ///< the subscriptions/listen request, in the stateless era
  };
  [[nodiscard]] mcp::SubscriptionFilter wanted_on(const UpstreamConnection& connection) const;
  [[nodiscard]] Active& active_on(const std::shared_ptr<UpstreamConnection>& connection);
  void listen_on(const std::shared_ptr<UpstreamConnection>& connection, Active& active);

  UpstreamSet& upstreams_;
  Connections& connections_;
  ClientSessions& sessions_;
  ResourceOwners& resources_;
  std::unordered_map<const UpstreamConnection*, Active> active_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

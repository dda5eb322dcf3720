// SPDX-License-Identifier: Apache-2.0
// Subscribes at upstreams to what clients want to be told of: by one standing request in the
// stateless era, by resources/subscribe for each resource in the session era.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/lists/resource_owners.h"
#include "enfold/gateway/upstream/connections.h"

#include <memory>
#include <optional>
#include <unordered_map>

namespace enfold::gateway {

class Subscriptions {
 public:
  Subscriptions(UpstreamSet& upstreams, Connections& connections, ClientSessions& sessions,
                ResourceOwners& resources)
      : upstreams_(upstreams),
        connections_(connections),
        sessions_(sessions),
        resources_(resources) {}

  /// subscriptions/listen of a client; ends when what is returned is cancelled.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> listen(serve::Port& port,
                                                        const mcp::Listening& listening);
  /// Brings the subscriptions of a connection up to date.
  void update(const std::shared_ptr<UpstreamConnection>& link);
  /// The same for all connections that callers without a session share.
  void update_shared();

  /// A connection was made: subscribes again to the resources of its sessions.
  void on_ready(UpstreamConnection& link);
  void on_broken(const UpstreamConnection& link) { active_.erase(&link); }
  /// Ends the subscriptions of a connection.
  void stop(UpstreamConnection& link);

 private:
  class Listener;
  struct Active {
    std::weak_ptr<UpstreamConnection> on;  ///< another connection may come to have the same address
    mcp::SubscriptionFilter filter;
    std::optional<mcp::CallKey> request;  ///< of subscriptions/listen, in the stateless era
  };
  [[nodiscard]] mcp::SubscriptionFilter wanted_on(const UpstreamConnection& link) const;
  [[nodiscard]] Active& active_on(const std::shared_ptr<UpstreamConnection>& link);
  void listen_on(const std::shared_ptr<UpstreamConnection>& link, Active& active);

  UpstreamSet& upstreams_;
  Connections& connections_;
  ClientSessions& sessions_;
  ResourceOwners& resources_;
  std::unordered_map<const UpstreamConnection*, Active> active_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

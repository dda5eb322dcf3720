// SPDX-License-Identifier: Apache-2.0
// Forwards messages that upstreams send by themselves (notifications and questions) to the clients
// they concern.
#pragma once

#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/services.h"
#include "enfold/gateway/call/tasks.h"

namespace enfold::gateway {

class UpstreamEvents final : public UpstreamOwner {
 public:
  /// `on_first_identity` is called when an upstream is reached for the first time.
  explicit UpstreamEvents(std::function<void()> on_first_identity)
      : on_first_identity_(std::move(on_first_identity)) {}
  /// Must be called before the first connection is made.
  void set_services(const CallServices& services) { services_ = &services; }

  /// Sets the log level of a session at the upstreams that have sessions.
  void set_log_level(const ClientSession& session);

  void on_event(UpstreamConnection& connection, client::Event event) override;

 private:
  void on(UpstreamConnection& connection, const mcp::Ready& ready);
  void on(UpstreamConnection& connection, const mcp::Broken& broken);
  void on(UpstreamConnection& connection, const mcp::ServerRequest& asked);
  void on(UpstreamConnection& connection, const mcp::ServerRequestWithdrawn& withdrawn);
  void on(UpstreamConnection& connection, const mcp::LogReport& logged);
  void on(UpstreamConnection& connection, const mcp::ListChanged& changed);
  void on(UpstreamConnection& connection, const mcp::ResourceUpdated& updated);
  void on(UpstreamConnection& connection, const mcp::Notification& notification);
  void on(UpstreamConnection& connection, const client::ErrorLine& line);
  void on(UpstreamConnection& connection, const client::Noise& noise);
  /// Whether several principals use a connection: a message on it may be about any of their calls.
  [[nodiscard]] bool has_many_principals(const UpstreamConnection& connection) const;
  void tell_of_task(const UpstreamConnection& connection,
                    const mcp::Notification& notification) const;

  const CallServices* services_ = nullptr;
  std::function<void()> on_first_identity_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// What upstreams send without being asked, brought to the client that it is meant for.
#pragma once

#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/services.h"
#include "enfold/gateway/call/tasks.h"

#include <functional>

namespace enfold::gateway {

class UpstreamEvents final : public LinkOwner {
 public:
  /// `on_first_identity` is called when an upstream is reached for the first time.
  explicit UpstreamEvents(std::function<void()> on_first_identity)
      : on_first_identity_(std::move(on_first_identity)) {}
  /// Before the first connection is made.
  void set_services(const CallServices& services) { services_ = &services; }

  /// Sets the log level of a session at the upstreams that have sessions.
  void set_log_level(const ClientSession& session);

  void on_ready(Link& link) override;
  void on_broken(Link& link, const Error& error) override;
  void on_ask(Link& link, const mcp::InputAsked& asked) override;
  void on_ask_withdrawn(Link& link, mcp::AskKey ask) override;
  void on_log(Link& link, const mcp::Logged& logged) override;
  void on_list_changed(Link& link, const mcp::ListChanged& changed) override;
  void on_resource_updated(Link& link, const mcp::ResourceUpdated& updated) override;
  void on_notification(Link& link, const mcp::Notification& notification) override;
  void on_error_line(Link& link, std::string_view line) override;
  void on_noise(Link& link, const Error& noise) override;

 private:
  /// Whether several principals use a connection: a message on it may be about any of their calls.
  [[nodiscard]] bool has_many_principals(const Link& link) const;
  void tell_of_task(const Link& link, const mcp::Notification& notification) const;

  const CallServices* services_ = nullptr;
  std::function<void()> on_first_identity_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// The clients that are connected to a gateway and the state that it keeps for each: over stdio
// there is one, over HTTP one for each session and one for each request without a session.
#pragma once

#include "enfold/gateway/policy/session_budget.h"
#include "enfold/gateway/policy/throttle.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/serve/service.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace enfold::gateway {

struct Upstream;

struct ClientSession {
  ClientSession(net::Loop& on, serve::Port& to) : loop(on), port(to) {}

  net::Loop& loop;
  serve::Port& port;
  std::shared_ptr<const mcp::Caller> caller;  ///< from its session, or from its last call
  bool has_session = false;
  std::map<const Upstream*, std::shared_ptr<UpstreamConnection>>
      links;  ///< connections that only this session uses
  std::optional<mcp::LogLevel> log_level;
  std::vector<std::string> subscribed;  ///< URIs of resources, by resources/subscribe
  std::map<mcp::CallKey, mcp::SubscriptionFilter> listens;  ///< by subscriptions/listen
  std::shared_ptr<SessionBudget> budget;

  /// Notifies the client that a list has changed, at most once a second.
  void tell_list_changed(mcp::ListKind kind);

 private:
  std::map<mcp::ListKind, std::unique_ptr<Throttle>> list_notices_;
};

class ClientSessions {
 public:
  explicit ClientSessions(net::Loop& loop) : loop_(loop) {}

  /// The session of this port; created by the first call.
  [[nodiscard]] ClientSession& of(serve::Port& port);
  [[nodiscard]] ClientSession* find(const serve::Port* port) const;
  [[nodiscard]] std::unique_ptr<ClientSession> remove(serve::Port& port);
  [[nodiscard]] std::vector<ClientSession*> all() const;
  void tell_list_changed(mcp::ListKind kind, const serve::Port* except = nullptr);

 private:
  net::Loop& loop_;
  std::unordered_map<const serve::Port*, std::unique_ptr<ClientSession>> sessions_;
};

}  // namespace enfold::gateway

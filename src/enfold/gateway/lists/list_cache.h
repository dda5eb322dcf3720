// SPDX-License-Identifier: Apache-2.0
// Keeps the last contents of every upstream's lists and fetches them again when they change. Enfold
// notifies clients of a change that they have not seen.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/lists/gathering.h"
#include "enfold/gateway/upstream/connections.h"
#include "enfold/gateway/upstream/routes.h"

#include <functional>
#include <memory>
#include <vector>

namespace enfold::gateway {

class ListCache {
 public:
  ListCache(const Environment& environment, UpstreamSet& upstreams, Connections& connections,
            ClientSessions& sessions, Routes& routes)
      : environment_(environment),
        upstreams_(upstreams),
        connections_(connections),
        sessions_(sessions),
        routes_(routes) {}

  /// Returns whether the list has changed.
  bool store(Upstream& upstream, mcp::Method list, const std::vector<json::Value>& items);
  /// Fetches the tools of an upstream.
  void fetch_tools(const std::shared_ptr<UpstreamConnection>& link, net::Task done);
  /// Fetches a list of several upstreams for a call. With several upstreams `done` is called after
  /// kListTimeout at the latest.
  void fetch(const std::vector<Upstream*>& from, mcp::Method list, const mcp::Call& call,
             serve::Port& port, const std::function<void()>& done);

  void on_ready(UpstreamConnection& link);
  void on_list_changed(UpstreamConnection& link, mcp::ListKind kind);

 private:
  void store_fetched_tools(Upstream& upstream, const std::vector<json::Value>& items);
  void refresh_tools(const std::shared_ptr<UpstreamConnection>& link);

  const Environment& environment_;
  UpstreamSet& upstreams_;
  Connections& connections_;
  ClientSessions& sessions_;
  Routes& routes_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

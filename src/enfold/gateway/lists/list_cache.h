// SPDX-License-Identifier: Apache-2.0
// Caches the lists of every upstream (tools, prompts, resources), fetches them again when they
// change, and notifies clients of changes.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/observe/metrics.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/gateway/upstream/connections.h"
#include "enfold/gateway/upstream/upstream_set.h"

namespace enfold::gateway {

/// The pages of a list that an upstream returned.
struct Pages {
  std::vector<json::Value> results;            ///< one for each page, unchanged
  std::vector<json::Value> items;              ///< of all pages, or from the cache
  std::optional<client::CallFailure> failure;  ///< set: why the next page could not be fetched
  std::optional<std::string> cut_reason{};     ///< set: Enfold left out items, for this reason
};

/// How long a client's list request waits for an upstream. After it the client gets the cached
/// items of that upstream, or, if there are none, only those of the other upstreams.
inline constexpr std::chrono::seconds kListTimeout{5};
/// The same for an upstream with UpstreamSettings::is_shared whose list is cached.
inline constexpr std::chrono::milliseconds kCachedListTimeout{50};

/// The `name` of a tool, a prompt or a resource in a list.
[[nodiscard]] std::string item_name(json::View item);
/// The member of a result that holds the items of a list.
[[nodiscard]] std::string_view items_member(mcp::Method list);
/// The kind of change notification for a list; templates count as resources.
[[nodiscard]] mcp::ListKind kind_of(mcp::Method list);
/// Whether both have the same items, byte for byte, in the same order.
[[nodiscard]] bool is_same_list(const std::vector<json::Value>& a,
                                const std::vector<json::Value>& b);

/// Fetches all pages of one list of one upstream: at most 1,000 pages of together 16 MiB, in 30 s,
/// and of them at most 1,000 tools, or 10,000 other items, of together 4 MiB.
class ListFetch : public std::enable_shared_from_this<ListFetch> {
 public:
  using Done = std::function<void(Pages pages)>;
  ListFetch(std::shared_ptr<UpstreamConnection> connection, mcp::Method method, json::Value params,
            std::shared_ptr<const mcp::Caller> caller, Done done)
      : connection_(std::move(connection)),
        method_(method),
        params_(std::move(params)),
        caller_(std::move(caller)),
        done_(std::move(done)) {}

  /// Requests one page and then all pages after it. nullopt: the first page.
  void fetch_from(const std::optional<std::string>& cursor);
  /// `done` is not called after this.
  void cancel(std::string_view reason);

 private:
  void on_page(client::CallResult result);
  /// Returns why not all items of the page were added; nullopt: they were.
  [[nodiscard]] std::optional<std::string> add_items(json::View page);
  void cut_short(std::string reason);
  void finish();

  std::shared_ptr<UpstreamConnection> connection_;
  mcp::Method method_;
  json::Value params_;
  std::shared_ptr<const mcp::Caller> caller_;
  Done done_;
  Pages pages_;
  std::set<std::string> seen_cursors_;
  std::size_t bytes_ = 0;       ///< of all pages
  std::size_t item_bytes_ = 0;  ///< of `pages_.items`
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::optional<mcp::CallKey> request_;  ///< for the current page
};

/// Begins a ListFetch. `params`: those of the client's request; their cursor is ignored. `caller`:
/// the client to name in the requests; null: Enfold. Calls `done` once, unless the fetch is
/// cancelled or the connection destroyed.
std::shared_ptr<ListFetch> fetch_list(std::shared_ptr<UpstreamConnection> connection,
                                      mcp::Method method, json::Value params,
                                      std::shared_ptr<const mcp::Caller> caller,
                                      ListFetch::Done done);

class ListCache {
 public:
  ListCache(const Environment& environment, UpstreamSet& upstreams, Connections& connections,
            ClientSessions& sessions, Routes& routes, CallLog& log)
      : environment_(environment),
        upstreams_(upstreams),
        connections_(connections),
        sessions_(sessions),
        routes_(routes),
        log_(log) {}

  /// Stores the items of a list. Returns whether they differ from those stored before. If the list
  /// was cut, logs a warning, once.
  bool store(Upstream& upstream, mcp::Method list, const Pages& pages);
  /// Selects the offered tools from the stored list again: the settings of the upstream have
  /// changed.
  void select_tools(Upstream& upstream);
  /// Fetches and stores the tools of an upstream. Calls `done` at the end, also after a failure.
  void fetch_tools(const std::shared_ptr<UpstreamConnection>& connection, net::Task done);
  /// Fetches and stores a list of these upstreams, over the connections that the client's call
  /// uses. If the gateway has several upstreams, `done` is called after kListTimeout at the latest.
  void fetch(const std::vector<Upstream*>& from, mcp::Method list, const mcp::Call& call,
             serve::ClientChannel& channel, const std::function<void()>& done);
  /// Fetches and stores the tools of an upstream over the connection of this call, then begins the
  /// call. Calls that come meanwhile wait for the same list. If it cannot be fetched, or not within
  /// kListTimeout, the waiting calls that use other connections fetch it over those.
  void fetch_tools_for(Upstream& upstream, WaitingCall call);

  /// The result of a list request that is forwarded to a client, without hidden text. If there was
  /// some, logs a warning, once. `upstream`: its name.
  [[nodiscard]] json::Value without_hidden(const std::string& upstream, json::Value result);

  /// Called when a connection has finished its handshake.
  void on_ready(UpstreamConnection& connection);
  /// Called when an upstream has sent a list_changed notification.
  void on_list_changed(UpstreamConnection& connection, mcp::ListKind kind);

 private:
  /// Stores the tools, and notifies clients that got a list without them, or an outdated one.
  void store_fetched_tools(Upstream& upstream, const Pages& pages);
  /// Fetches and stores the tools over this connection, on behalf of the client of `call`.
  /// `upstream`: Upstream::number. `is_fetched`: false: the fetch failed.
  void fetch_tools_over(const std::shared_ptr<UpstreamConnection>& connection,
                        const WaitingCall& call, std::uint64_t upstream,
                        std::function<void(bool is_fetched)> done);
  /// The calls in `wait` that use other connections than its fetch begin a fetch over those. The
  /// calls of the same connection stay in `wait`. `upstream`: Upstream::number.
  void let_others_fetch(std::uint64_t upstream, ToolsWait& wait);
  /// Fetches the tools again, at most once a second for each upstream.
  void refresh_tools(const std::shared_ptr<UpstreamConnection>& connection);

  const Environment& environment_;
  UpstreamSet& upstreams_;
  Connections& connections_;
  ClientSessions& sessions_;
  Routes& routes_;
  CallLog& log_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Makes connections to upstreams, chooses the connection for each call, and retires connections
// that are not needed any more. A client with a session has connections that only it uses; the
// callers of one principal without a session share one, or lease one each while the upstream may
// send them requests.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/base/shares.h"
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

/// What a session had used until `time`.
struct SessionSample {
  std::chrono::sys_time<std::chrono::microseconds> time;
  std::uint64_t calls = 0;
  std::uint64_t used = 0;  ///< tokens of its budget; 0 without a budget
};

/// What the gateway keeps for one channel to a client, with a session or without.
struct ClientSession {
  ClientSession(net::Loop& on, serve::ClientChannel& to) : loop(on), channel(to) {}

  net::Loop& loop;
  serve::ClientChannel& channel;
  std::shared_ptr<const mcp::Caller> caller;  ///< from the handshake or the last call; null before
  bool has_session = false;  ///< the client has finished its handshake; never for a stateless one
  std::map<const Upstream*, std::shared_ptr<UpstreamConnection>>
      connections;                         ///< connections that only this session uses
  std::optional<mcp::LogLevel> log_level;  ///< nullopt: the client has set none
  std::vector<std::string> subscribed;     ///< URIs of resources, by resources/subscribe
  std::map<mcp::CallKey, mcp::SubscriptionFilter> listens;  ///< open subscriptions/listen calls
  std::shared_ptr<SessionBudget> budget;  ///< null: none, not yet used, or in SessionBudgets
  // For the dashboard.
  std::uint64_t number = 0;  ///< counts the sessions of this gateway; not a secret
  bool is_listed = false;    ///< as a session: the client has sent `initialize`
  std::chrono::sys_time<std::chrono::microseconds> opened{};
  std::uint64_t calls = 0;  ///< begun so far
  net::TimePoint last_call{};
  std::vector<SessionSample> trend;  ///< the last kMostSamples

  /// Whether the client has subscribed to the resource by this URI.
  [[nodiscard]] bool wants_updates_of(const std::string& uri) const;
  /// Notifies the client that a list of this kind has changed, at most once a second.
  void tell_list_changed(mcp::ListKind kind);
  /// Adds a sample to `trend`.
  void sample(std::chrono::sys_time<std::chrono::microseconds> now) {
    constexpr std::size_t kMostSamples = 60;
    if (trend.size() >= kMostSamples) trend.erase(trend.begin());
    trend.push_back({now, calls, budget ? budget->used() : 0});
  }

 private:
  std::map<mcp::ListKind, std::unique_ptr<Throttle>> list_notices_;
};

class ClientSessions {
 public:
  explicit ClientSessions(net::Loop& loop) : loop_(loop) {}

  /// The session of this channel; created on first use.
  [[nodiscard]] ClientSession& of(serve::ClientChannel& channel) {
    std::unique_ptr<ClientSession>& session = sessions_[&channel];
    if (!session) {
      session = std::make_unique<ClientSession>(loop_, channel);
      session->number = ++last_number_;
    }
    return *session;
  }
  /// nullptr: the channel has none.
  [[nodiscard]] ClientSession* find(const serve::ClientChannel* channel) const {
    const auto found = sessions_.find(channel);
    return found != sessions_.end() ? found->second.get() : nullptr;
  }
  /// Returns the removed session; null: the channel had none.
  [[nodiscard]] std::unique_ptr<ClientSession> remove(serve::ClientChannel& channel);
  [[nodiscard]] std::vector<ClientSession*> all() const;
  /// Notifies all clients, except the one on `except`, that a list has changed. nullptr: all.
  void tell_list_changed(mcp::ListKind kind, const serve::ClientChannel* except = nullptr);

 private:
  net::Loop& loop_;
  std::uint64_t last_number_ = 0;
  std::unordered_map<const serve::ClientChannel*, std::unique_ptr<ClientSession>> sessions_;
};

class Connections {
 public:
  /// The message of the error with which connections of make_for() are refused.
  static constexpr std::string_view kNoProcess =
      "this client has as many processes of servers as it may have";

  /// All arguments must outlive this object.
  Connections(const Environment& environment, UpstreamSet& upstreams, ClientSessions& sessions,
              OpenCalls& calls, UpstreamOwner& upstream_owner);

  /// Makes a connection; it does not connect yet. `known_era`: the era to try first; nullopt: not
  /// known.
  [[nodiscard]] std::shared_ptr<UpstreamConnection> make(Upstream& upstream,
                                                         std::shared_ptr<const mcp::Caller> caller,
                                                         std::optional<mcp::Era> known_era);
  /// The connection that a call to this upstream goes over; a new one if there is none. It may
  /// refuse every request (is_refused) because the client has no place for another process.
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
  /// Retires the connections that only this session uses.
  void retire_all_of(ClientSession& session);
  /// `is_needed`: whether subscriptions or tasks need this connection, so that its process must not
  /// end although it has no call.
  void set_is_needed(std::function<bool(const UpstreamConnection&)> is_needed) {
    is_needed_ = std::move(is_needed);
  }
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
  /// As make(), for a client: if the upstream is a process, takes one of the client's places for
  /// processes. If there is none, the connection refuses every request.
  [[nodiscard]] std::shared_ptr<UpstreamConnection> make_for(
      serve::ClientChannel& channel, Upstream& upstream, std::shared_ptr<const mcp::Caller> caller,
      std::optional<mcp::Era> known_era);
  /// The connection that calls of this principal share.
  [[nodiscard]] std::shared_ptr<UpstreamConnection> for_principal(
      serve::ClientChannel& channel, Upstream& upstream, std::shared_ptr<const mcp::Caller> caller);
  /// A connection that this call uses alone; see Upstream::leased.
  [[nodiscard]] std::shared_ptr<UpstreamConnection> lease(serve::ClientChannel& channel,
                                                          const mcp::Call& call,
                                                          Upstream& upstream);
  /// Removes a connection from the session or upstream that uses it, and retires it.
  void drop(Upstream& upstream, const std::shared_ptr<UpstreamConnection>& connection);
  /// Ends the processes that were idle for longer than their upstream allows.
  void end_idle_processes();

  const Environment& environment_;
  UpstreamSet& upstreams_;
  ClientSessions& sessions_;
  OpenCalls& calls_;
  UpstreamOwner& upstream_owner_;
  std::unordered_map<const UpstreamConnection*, ClientSession*>
      owners_;  ///< sessions of the connections that only one session uses
  std::vector<std::shared_ptr<UpstreamConnection>> retiring_;  ///< being closed
  Shares processes_;  ///< places for processes, by ClientShare::owner
  std::function<bool(const UpstreamConnection&)> is_needed_;
  net::Timer idle_check_;
  Lifetime alive_;
};

}  // namespace enfold::gateway

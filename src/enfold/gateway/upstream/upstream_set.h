// SPDX-License-Identifier: Apache-2.0
// All upstreams of a gateway: the current ones; those that a reload has added and is connecting
// (joining); and those that a reload has removed but that still have open calls (leaving).
#pragma once

#include "enfold/base/period_limit.h"
#include "enfold/gateway/policy/throttle.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/gateway/upstream/tool_table.h"
#include "enfold/mcp/types/call.h"

#include <set>
#include <unordered_map>

namespace enfold::gateway {

/// A connection that carries one call at a time, always of the same principal.
struct Lease {
  std::string principal;
  std::shared_ptr<UpstreamConnection> connection;
};

/// A call of a tool that is not listed: it begins when the tools of its upstream were fetched.
struct WaitingCall {
  using Begin = std::function<void(const mcp::Call&, const std::shared_ptr<serve::ClientChannel>&)>;
  mcp::Call call;
  std::weak_ptr<serve::ClientChannel> channel;
  Begin begin;
};
/// The calls that wait for one fetch of tools, over the connection of the first.
struct ToolsWait {
  std::weak_ptr<UpstreamConnection> connection;
  std::vector<WaitingCall> calls;
  std::unique_ptr<net::Timer> timeout{};  ///< null: the fetch has ended
};

struct Upstream {
  Upstream(UpstreamSettings with, std::uint64_t unique)
      : number(unique), settings(std::move(with)), breakers(settings.circuit_breaker) {}

  /// Unique in this gateway, unlike the name, which a reload may give to another server.
  std::uint64_t number;
  std::size_t position = 0;  ///< in the configuration
  UpstreamSettings settings;
  Breakers breakers;
  /// From the first handshake on any connection, later from that on `shared`; nullopt: none yet.
  std::optional<mcp::ServerIdentity> identity;

  // Lists; ListCache keeps them up to date.
  ToolTable tools;
  /// The last items of each list, by method: clients get them while the upstream does not answer.
  std::map<mcp::Method, std::vector<json::Value>> known;
  std::set<mcp::ListKind> missed;  ///< lists that clients got without this upstream's items
  std::weak_ptr<UpstreamConnection>
      changed_on;                     ///< the connection that last reported changed tools
  std::unique_ptr<Throttle> refresh;  ///< fetches changed tools, at most once a second
  bool announces_changes = false;     ///< notify clients if the next refresh finds changes
  /// How often a call of a tool that is not listed may make the gateway fetch the list again.
  PeriodLimit<Breaker::Time> lookup_limit{10, std::chrono::seconds(1)};
  /// The calls that wait for the tools that ListCache::fetch_tools_for fetches; null: none wait.
  std::shared_ptr<ToolsWait> tools_wait;

  // Connections makes and retires these.
  std::size_t connections = 0;  ///< objects that refer to this upstream, also retired ones
  /// The connection of the gateway itself, and of the calls of `first_principal` that have no
  /// connection of their session. All principals use it if the server is stateless and a process
  /// that is not UpstreamSettings::is_shared. With Settings::one_client it is the only connection.
  std::shared_ptr<UpstreamConnection> shared;
  std::string first_principal;  ///< the first one with such a call; empty: there was none
  /// The connections of the other principals.
  std::map<std::string, std::shared_ptr<UpstreamConnection>> of_principals;
  /// For callers without a session, if the server is of the session era and may send them requests:
  /// a request must belong to one call, so each of these connections carries one call at a time.
  std::vector<Lease> leased;
  /// Limits log lines about unusable messages of the server.
  PeriodLimit<Breaker::Time> noise_limit{20, std::chrono::minutes(1)};
  std::uint64_t unlogged_noise = 0;   ///< since the last such line
  bool was_down = false;              ///< a connection broke, and none was made since
  std::optional<Error> last_failure;  ///< kept after a later success
  std::uint64_t failures = 0;         ///< times that a connection broke or could not be made
  std::uint64_t restarts = 0;         ///< connections made again: they broke, or a session expired
};

class UpstreamSet {
 public:
  using List = std::vector<std::unique_ptr<Upstream>>;

  explicit UpstreamSet(std::vector<UpstreamSettings> settings);

  [[nodiscard]] const List& current() const { return current_; }
  [[nodiscard]] const List& joining() const { return joining_; }
  [[nodiscard]] const List& leaving() const { return leaving_; }
  [[nodiscard]] bool is_single() const { return current_.size() == 1; }
  [[nodiscard]] Upstream& first() const { return *current_.front(); }
  /// Whether a handshake with any current upstream has succeeded.
  [[nodiscard]] bool any_reached() const;

  /// The current upstream with this number; nullptr: there is none.
  [[nodiscard]] Upstream* with_number(std::uint64_t number) const {
    const auto found = by_number_.find(number);
    return found != by_number_.end() ? found->second : nullptr;
  }
  [[nodiscard]] Upstream* with_name(std::string_view name) const;
  [[nodiscard]] std::size_t longest_name() const { return longest_name_; }
  /// The upstream of a connection, current or not.
  [[nodiscard]] Upstream& of(const UpstreamConnection& connection) const;

  /// Adds a joining upstream for each of the settings, unless a current upstream has the same
  /// connection settings.
  void join(const std::vector<UpstreamSettings>& settings);
  /// Makes the joining upstreams leave.
  void discard_joining();
  struct Change {
    std::size_t kept = 0;            ///< number of upstreams that stay current
    std::size_t joined = 0;          ///< number of new ones
    std::vector<Upstream*> removed;  ///< no longer current; they stay until their calls have ended
  };
  /// Makes the upstreams of these settings the current ones. Each must be current or joining.
  [[nodiscard]] Change replace(std::vector<UpstreamSettings> settings);
  /// Destroys the leaving upstreams for which `is_unused` returns true.
  void erase_leaving(const std::function<bool(const Upstream& upstream)>& is_unused);

 private:
  /// Makes the maps below from the lists.
  void rebuild_index();

  List current_;
  List joining_;
  List leaving_;
  std::uint64_t last_number_ = 0;
  std::size_t longest_name_ = 0;
  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::uint64_t, Upstream*> by_number_;
  std::unordered_map<std::string, Upstream*, NameHash, std::equal_to<>> by_name_;
  std::unordered_map<const UpstreamSettings*, Upstream*> by_settings_;  ///< all, current or not
};

/// Where a call goes.
struct Route {
  Upstream* upstream = nullptr;  ///< nullptr: the name belongs to no upstream
  std::string name;              ///< of the tool or prompt, or id of the task, at the upstream
};

/// Finds upstreams by the names that clients see; whether they have the tool is not checked.
class Routes {
 public:
  explicit Routes(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  /// The name of a tool or a prompt as clients see it.
  [[nodiscard]] std::string shown(const Upstream& upstream, std::string_view name) const;
  // `shown`: the name that clients see.
  [[nodiscard]] Route tool(std::string_view shown) const;
  [[nodiscard]] Route prompt(std::string_view shown) const;
  [[nodiscard]] Route task(std::string_view shown_id) const;
  /// For a request about all tasks: the first upstream with the capability, else simply the first.
  [[nodiscard]] Route tasks() const;

  /// Called when a list of tools or prompts, or the set of upstreams, has changed.
  void invalidate() { is_current_ = false; }

 private:
  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Names = std::unordered_map<std::string, Route, NameHash, std::equal_to<>>;

  /// The route of a name that was not cut. `allows_empty`: the name after the prefix may be empty.
  [[nodiscard]] Route by_prefix(std::string_view shown, bool allows_empty) const;
  /// The route of a name in one of the tables, which are rebuilt if necessary.
  [[nodiscard]] Route in(const Names& names, std::string_view shown) const;
  void rebuild() const;

  const UpstreamSet& upstreams_;
  // Tables of the names as clients see them that may have been cut (kMaxNameLength). All others are
  // routed by their prefix.
  mutable bool is_current_ = false;  ///< the tables are up to date
  mutable Names tools_;
  mutable Names prompts_;
};

/// The URI by which clients see a resource of this upstream if another upstream owns its `uri`.
[[nodiscard]] std::string shown_uri(const Upstream& upstream, std::string_view uri);

/// The URI of the resource or template in the params of a call; nullopt: there is none.
[[nodiscard]] std::optional<std::string> resource_of(const mcp::Call& call);

/// Remembers which upstream has which resource or template, from lists and successful calls. Of
/// several that list the same one it belongs to the first in the configuration; the others have it
/// under enfold://upstreams/NAME/URI.
class ResourceOwners {
 public:
  explicit ResourceOwners(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  /// How the owner is known. Owners known from resources/list are forgotten before the next list.
  enum class From : std::uint8_t { list, elsewhere };
  /// Makes `upstream` the owner, unless one that is configured before it has the URI: then false.
  bool set_owner(std::string uri, Upstream& upstream, From from);
  /// Forgets all that this upstream owns; forget_listed: only what is known from resources/list.
  void forget(const Upstream& upstream);
  void forget_listed(const Upstream& upstream);
  /// nullptr: the owner is not known.
  [[nodiscard]] Upstream* owner_of(const std::string& uri) const { return route(uri).upstream; }
  /// The owner (nullptr: not known), and the URI that it uses.
  [[nodiscard]] Route route(const std::string& uri) const;
  [[nodiscard]] bool belongs_to_another(const std::string& uri, const Upstream& upstream) const;
  /// Whether a call names a resource whose owner is not known, so that every upstream must be asked
  /// for it. False with a single upstream.
  [[nodiscard]] bool must_ask_all_upstreams(const mcp::Call& call) const;

 private:
  const UpstreamSet& upstreams_;
  struct Owner {
    Upstream* upstream;
    From from;
  };
  std::unordered_map<std::string, Owner> owners_;
};

}  // namespace enfold::gateway

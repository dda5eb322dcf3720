// SPDX-License-Identifier: Apache-2.0
// All upstreams of a gateway: those that are served, those that a reload is connecting, and those
// that it removed and that still have open calls.
#pragma once

#include "enfold/gateway/policy/throttle.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/gateway/upstream/tool_table.h"
#include "enfold/mcp/types/call.h"

#include <set>
#include <unordered_map>

namespace enfold::gateway {

struct Upstream {
  Upstream(UpstreamSettings with, std::uint64_t unique)
      : number(unique), settings(std::move(with)), breaker(settings.circuit_breaker) {}

  /// Never used again in this gateway, while a reload may give the name to another server.
  std::uint64_t number;
  std::size_t position = 0;  ///< in the configuration
  UpstreamSettings settings;
  Breaker breaker;
  std::optional<mcp::ServerIdentity> identity;  ///< from the last connection

  // Lists (ListCache).
  ToolTable tools;
  /// The last contents of each list, which clients get while the upstream does not answer.
  std::map<mcp::Method, std::vector<json::Value>> known;
  std::set<mcp::ListKind> missed;  ///< lists that clients got without this upstream
  std::weak_ptr<UpstreamConnection>
      changed_on;  ///< the connection that last reported changed tools
  std::unique_ptr<Throttle> refresh;
  bool announces_changes = false;  ///< notify clients if the next refresh finds changes

  // Owned by Connections. With one client its only connection, else the one that callers without a
  // session share.
  std::shared_ptr<UpstreamConnection> shared;
  /// For callers without a session, if the server has sessions and may ask questions: a question
  /// must belong to one call, so each of these connections carries one call at a time.
  std::vector<std::shared_ptr<UpstreamConnection>> leased;
  bool was_down = false;  ///< a connection broke, and none was made since
  std::optional<Error> last_failure;
  std::uint64_t failures = 0;  ///< times that a connection broke or could not be made
  std::uint64_t restarts = 0;  ///< connections made again after they broke
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

  /// Adds the upstreams of the settings that are not current yet. They are joining until `replace`
  /// is called.
  void join(const std::vector<UpstreamSettings>& settings);
  /// Removes the joining upstreams.
  void discard_joining();
  struct Change {
    std::size_t kept = 0;
    std::size_t joined = 0;
    std::vector<Upstream*> removed;  ///< no longer current; they stay until their calls have ended
  };
  /// Makes the upstreams of these settings the current ones. Each must be current or joining.
  [[nodiscard]] Change replace(std::vector<UpstreamSettings> settings);
  /// Destroys removed upstreams that are unused.
  void erase_leaving(const std::function<bool(const Upstream& upstream)>& is_unused);

 private:
  void index();

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

struct Route {
  Upstream* upstream = nullptr;  ///< nullptr: no upstream has it
  std::string name;              ///< the upstream's own name
};

class Routes {
 public:
  explicit Routes(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  /// The name of a tool or a prompt as clients see it.
  [[nodiscard]] std::string shown(const Upstream& upstream, std::string_view name) const;
  [[nodiscard]] Route tool(std::string_view shown) const;
  [[nodiscard]] Route prompt(std::string_view shown) const;
  [[nodiscard]] Route task(std::string_view shown_id) const;
  /// For a request about all tasks: the first upstream that has any.
  [[nodiscard]] Route tasks() const;

  /// Called when a list of tools or prompts, or the set of upstreams, has changed.
  void invalidate() { is_current_ = false; }

 private:
  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Names = std::unordered_map<std::string, Route, NameHash, std::equal_to<>>;

  [[nodiscard]] Route by_prefix(std::string_view shown, bool allows_empty) const;
  [[nodiscard]] Route in(const Names& names, std::string_view shown) const;
  void rebuild() const;

  const UpstreamSet& upstreams_;
  // Only names that may have been cut: for all others the prefix names the upstream.
  mutable bool is_current_ = false;
  mutable Names tools_;
  mutable Names prompts_;
};

/// The URI of the resource or template in the params of a call; nullopt: there is none.
[[nodiscard]] std::optional<std::string> resource_of(const mcp::Call& call);

class ResourceOwners {
 public:
  explicit ResourceOwners(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  void note(std::string uri, Upstream& upstream);
  void forget(const Upstream& upstream);
  /// nullptr: the owner is not known.
  [[nodiscard]] Upstream* owner_of(const std::string& uri) const;
  /// Whether the resource is known to belong to another upstream.
  [[nodiscard]] bool belongs_to_another(const std::string& uri, const Upstream& upstream) const;
  /// Whether a call names a resource whose owner is not known, so that every upstream must be asked
  /// for it. False with a single upstream.
  [[nodiscard]] bool must_ask_all_upstreams(const mcp::Call& call) const;

 private:
  const UpstreamSet& upstreams_;
  std::unordered_map<std::string, Upstream*> owners_;
};

}  // namespace enfold::gateway

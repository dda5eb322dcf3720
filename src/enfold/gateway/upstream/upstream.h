// SPDX-License-Identifier: Apache-2.0
// One upstream server: its settings, its identity, its lists and the connections to it.
#pragma once

#include "enfold/gateway/policy/throttle.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/gateway/upstream/tool_table.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

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

}  // namespace enfold::gateway

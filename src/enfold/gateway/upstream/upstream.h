// SPDX-License-Identifier: Apache-2.0
// One server that the gateway speaks for: where it is, who it says it is, what its tools are, and
// the connections to it.
#pragma once

#include "enfold/gateway/policy/throttle.h"
#include "enfold/gateway/upstream/link.h"
#include "enfold/gateway/upstream/tool_table.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace enfold::gateway {

struct Upstream {
  Upstream(UpstreamSettings given, std::uint64_t unique)
      : number(unique), settings(std::move(given)), breaker(settings.circuit_breaker) {}

  /// No other upstream of this gateway ever has it: a reload may give a name to another server.
  std::uint64_t number;
  UpstreamSettings settings;
  Breaker breaker;
  std::optional<mcp::ServerIdentity> identity;  ///< as it was last found
  ToolTable tools;
  /// What its lists last held. That is what clients are shown while it cannot be asked.
  std::map<mcp::Method, std::vector<json::Value>> known;
  std::set<mcp::ListKind> missed;  ///< lists that clients got without it: nothing was known
  std::weak_ptr<Link> learns_on;   ///< the connection that said last that its tools have changed
  std::unique_ptr<Pace> learning;
  bool was_down = false;    ///< a connection broke, and none was made since
  bool tells_news = false;  ///< clients do not know yet what is found out
  std::optional<Error> last_failure;
  std::uint64_t failures = 0;  ///< times that a connection broke or could not be made
  std::uint64_t restarts = 0;  ///< connections made anew after they broke
  /// With one client its only connection; else that of callers without a session.
  std::shared_ptr<Link> shared;
  /// Of callers without a session who may be asked something, while the server has sessions: a
  /// question on such a connection must belong to one call, so each serves one at a time.
  std::vector<std::shared_ptr<Link>> lent;
};

}  // namespace enfold::gateway

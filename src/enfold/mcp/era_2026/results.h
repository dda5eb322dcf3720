// SPDX-License-Identifier: Apache-2.0
// Results as the stateless era says them: resultType always, cache hints on what may be kept,
// the server's name in `_meta`.
#pragma once

#include "enfold/mcp/peer/server_action.h"

namespace enfold::mcp::era_2026 {

/// A response with a result of our own.
[[nodiscard]] json::Output write_complete(const Id& id, Method method, Complete result,
                                          const ServerConfig& config);

/// A response with another server's result. One that is whole already leaves as it came; one of a
/// session gets what is missing.
[[nodiscard]] json::Output write_relayed(const Id& id, Method method, const Relayed& relayed,
                                         const ServerConfig& config);

[[nodiscard]] json::Output write_asking(const Id& id, const InputRequired& required,
                                        const ServerConfig& config);

/// The end of a subscription.
[[nodiscard]] json::Output write_listen_end(const Id& id, const ServerConfig& config);

/// The first message of a subscription.
[[nodiscard]] json::Output write_acknowledged(const Id& id, const SubscriptionFilter& filter);

/// The answer to server/discover.
[[nodiscard]] json::Output write_discovered(const Id& id, const ServerConfig& config);

}  // namespace enfold::mcp::era_2026

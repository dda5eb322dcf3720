// SPDX-License-Identifier: Apache-2.0
// The messages that the stateless era writes in its own way. Every request names revision, client
// and capabilities in `params._meta`; every result has a resultType, a cache hint where it may be
// cached, and the server's name in `_meta`.
#pragma once

#include "enfold/mcp/peer/client_action.h"
#include "enfold/mcp/peer/server_action.h"
#include "enfold/mcp/types/call.h"

#include <memory>
#include <optional>

namespace enfold::mcp::era_2026 {

struct RequestMeta {
  std::shared_ptr<const Caller> caller;
  std::optional<LogLevel> log_level;
  std::optional<Id> progress_token;
};

/// Whether the params name a revision, which only requests of this era do.
[[nodiscard]] inline bool has_version(json::View params) {
  const auto found = object_member(params, "_meta");
  return found && found->find(meta::version).has_value();
}

/// `invalid_params` if revision or capabilities are missing.
[[nodiscard]] tl::expected<RequestMeta, RpcError> read_request_meta(json::View params);

// Of a client.
/// Reads the result of server/discover. `unsupported` if the server has no common revision.
[[nodiscard]] Result<ServerIdentity> read_discover_result(json::View result,
                                                          const ClientConfig& config);

/// The newest stateless revision in the list of a server that Enfold speaks too.
[[nodiscard]] std::optional<std::string> common_version(json::View list,
                                                        const ClientConfig& config);

/// The params of the call with `_meta` completed and the answers of this round.
[[nodiscard]] json::Output write_call(const Id& id, const CallOptions& options,
                                      const RequestMeta& request_meta,
                                      const InputResponses& inputs);
[[nodiscard]] std::vector<Header> call_headers(std::string_view version,
                                               const CallOptions& options);

// Of a server.
[[nodiscard]] json::Output write_complete(const Id& id, Method method, Complete result,
                                          const ServerConfig& config);

/// The result of a stateless upstream is copied unchanged; that of a session gets the missing
/// members.
[[nodiscard]] json::Output write_upstream_result(const Id& id, Method method,
                                                 const UpstreamResult& upstream,
                                                 const ServerConfig& config);

[[nodiscard]] json::Output write_input_required(const Id& id, const InputRequired& required,
                                                const ServerConfig& config);

/// The end of a subscription.
[[nodiscard]] json::Output write_listen_end(const Id& id, const ServerConfig& config);

/// The first message of a subscription.
[[nodiscard]] json::Output write_acknowledged(const Id& id, const SubscriptionFilter& filter);

[[nodiscard]] json::Output write_discover_result(const Id& id, const ServerConfig& config);

}  // namespace enfold::mcp::era_2026

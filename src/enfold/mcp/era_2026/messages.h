// SPDX-License-Identifier: Apache-2.0
// The messages that the stateless era writes differently. Every request names revision, client and
// capabilities in `params._meta`; every result has a resultType, a cache hint where it may be
// cached, and the server's name in `_meta`.
#pragma once

#include "enfold/mcp/peer/client_action.h"
#include "enfold/mcp/peer/server_action.h"
#include "enfold/mcp/types/call.h"

#include <memory>
#include <optional>

namespace enfold::mcp::era_2026 {

/// What the protocol defines in the `_meta` of a request.
struct RequestMeta {
  std::shared_ptr<const Caller> caller;  ///< never null
  std::optional<LogLevel> log_level;     ///< nullopt: the request wants no log messages
  std::optional<Id> progress_token;      ///< nullopt: the request wants no progress
};

/// Whether the params name a revision, which only requests of the stateless era do.
[[nodiscard]] inline bool has_version(json::View params) {
  const auto found = object_member(params, "_meta");
  return found && found->find(meta::version).has_value();
}

/// `invalid_params` if revision or capabilities are missing, or the log level is unknown.
[[nodiscard]] tl::expected<RequestMeta, RpcError> read_request_meta(json::View params);

// Used by a client.
/// Reads the result of server/discover. `unsupported` if the server has no common revision.
[[nodiscard]] Result<ServerIdentity> read_discover_result(json::View result,
                                                          const ClientConfig& config);

/// The newest stateless revision in a server's list that the client also supports; nullopt: none.
[[nodiscard]] std::optional<std::string> common_version(json::View list,
                                                        const ClientConfig& config);

/// Writes the params of the call with a complete `_meta`, and the inputs that the server required.
[[nodiscard]] json::Output write_call(const Id& id, const CallOptions& options,
                                      const RequestMeta& request_meta,
                                      const InputResponses& inputs);
/// The HTTP headers that repeat the revision, the method and arguments of the call.
[[nodiscard]] std::vector<Header> call_headers(std::string_view version,
                                               const CallOptions& options);

// Used by a server.
/// Adds `resultType`, the server's name and, for methods that have one, the cache hint.
[[nodiscard]] json::Output write_complete(const Id& id, Method method, CompleteResult result,
                                          const ServerConfig& config);

/// The result of a stateless upstream is copied unchanged. A result of the session era is always
/// complete: it gets the resultType "complete", in place of any that it has, and the missing
/// members. If the era is not known (a list that Enfold fetched or cached), a result with a
/// resultType is taken for that of a stateless upstream: it gets the cache hint and the server's
/// name only if the cache hint is missing.
[[nodiscard]] json::Output write_upstream_result(const Id& id, Method method,
                                                 const UpstreamResult& upstream,
                                                 const ServerConfig& config);

/// The result of an upstream (`required.original`) is copied unchanged.
[[nodiscard]] json::Output write_input_required(const Id& id, const InputRequired& required,
                                                const ServerConfig& config);

/// The last message of a subscription: the result of subscriptions/listen.
[[nodiscard]] json::Output write_listen_end(const Id& id, const ServerConfig& config);

/// The first message of a subscription. `filter`: the notifications that the server will send.
[[nodiscard]] json::Output write_acknowledged(const Id& id, const SubscriptionFilter& filter);

[[nodiscard]] json::Output write_discover_result(const Id& id, const ServerConfig& config);

}  // namespace enfold::mcp::era_2026

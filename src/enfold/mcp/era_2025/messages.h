// SPDX-License-Identifier: Apache-2.0
// The messages that the session era writes differently. A client writes its handshake and requests;
// a server writes results without resultType and cache hints, with an object as structured content.
#pragma once

#include "enfold/mcp/peer/client_action.h"
#include "enfold/mcp/peer/server_action.h"

namespace enfold::mcp::era_2025 {

// Used by a client.
[[nodiscard]] json::Output write_initialize(const Id& id, const ClientConfig& config);
/// `unsupported` if the server chose a revision that Enfold does not speak.
[[nodiscard]] Result<ServerIdentity> read_initialize_result(json::View result,
                                                            const ClientConfig& config);
/// Puts the progress token, if there is one, into `_meta`, and removes any other token and the keys
/// that only the stateless era has there.
[[nodiscard]] json::Output write_call(const Id& id, const CallOptions& options,
                                      const std::optional<Id>& progress_token);
/// The headers of a request in a session. An empty version or session id gives no header.
[[nodiscard]] std::vector<Header> session_headers(std::string_view version,
                                                  std::string_view session);

// Used by a server.
[[nodiscard]] json::Output write_initialize_result(const Id& id, std::string_view version,
                                                   const ServerConfig& config);
[[nodiscard]] json::Output write_complete(const Id& id, CompleteResult result);
/// A result of the session era is copied unchanged. From the result of a stateless upstream the
/// members are removed that the session era does not have, and structured content that is not an
/// object is wrapped: {"result": …}. For the output schemas in a list of tools see write(Tool).
[[nodiscard]] json::Output write_upstream_result(const Id& id, Method method,
                                                 const UpstreamResult& upstream);

}  // namespace enfold::mcp::era_2025

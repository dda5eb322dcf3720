// SPDX-License-Identifier: Apache-2.0
// Requests of the stateless era, from the client's side.
#pragma once

#include "enfold/mcp/era_2026/request_meta.h"
#include "enfold/mcp/peer/client_action.h"

namespace enfold::mcp::era_2026 {

/// What the answer to server/discover says, in the newest revision that both sides speak.
/// `unsupported` when there is none.
[[nodiscard]] Result<ServerIdentity> read_discovered(json::View result, const ClientConfig& config);

/// Of the revisions that a server lists, the newest stateless one that is known here.
[[nodiscard]] std::optional<std::string> common_version(json::View list,
                                                        const ClientConfig& config);

/// The original params with the answers of this round, and only those.
[[nodiscard]] json::Output write_call(const Id& id, const CallOptions& options,
                                      const RequestMeta& meta, const InputResponses& inputs);
[[nodiscard]] std::vector<Header> call_headers(std::string_view version,
                                               const CallOptions& options);

}  // namespace enfold::mcp::era_2026

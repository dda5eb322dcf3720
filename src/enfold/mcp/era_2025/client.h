// SPDX-License-Identifier: Apache-2.0
// The handshake of a session, from the client's side.
#pragma once

#include "enfold/mcp/peer/client_action.h"

namespace enfold::mcp::era_2025 {

[[nodiscard]] json::Output write_initialize(const Id& id, const ClientConfig& config);
/// `unsupported` when the server chose a revision that we do not speak.
[[nodiscard]] Result<ServerIdentity> read_initialized(json::View result,
                                                      const ClientConfig& config);
/// The progress token goes into `_meta`; what the stateless era says there about a request is left
/// out.
[[nodiscard]] json::Output write_call(const Id& id, const CallOptions& options,
                                      const std::optional<Id>& progress_token);
[[nodiscard]] std::vector<Header> session_headers(std::string_view version,
                                                  std::string_view session);

}  // namespace enfold::mcp::era_2025

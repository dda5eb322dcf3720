// SPDX-License-Identifier: Apache-2.0
// Results as sessions say them: without resultType and cache hints, structured content as an
// object.
#pragma once

#include "enfold/mcp/peer/server_action.h"

namespace enfold::mcp::era_2025 {

[[nodiscard]] json::Output write_initialized(const Id& id, std::string_view version,
                                             const ServerConfig& config);

[[nodiscard]] json::Output write_complete(const Id& id, Complete result);

/// Another server's result: of a session as it came, of the stateless era without the members that
/// sessions do not know. Tools in a list lose output schemas that are no objects the same way as
/// `write(Tool)` has it.
[[nodiscard]] json::Output write_relayed(const Id& id, Method method, const Relayed& relayed);

/// The stateless result as a session would have it. A list of tools keeps its output schemas
/// in step with the results: {"result": …} around what is no object.
[[nodiscard]] json::Value as_session_result(Method method, json::View result);

}  // namespace enfold::mcp::era_2025

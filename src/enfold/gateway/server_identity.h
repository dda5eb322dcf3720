// SPDX-License-Identifier: Apache-2.0
// The identity that a gateway reports to clients: that of its upstream, or of several merged into
// one; and the identity of a client in its first message.
#pragma once

#include "enfold/gateway/upstream/upstream_set.h"

#include <memory>
#include <string>
#include <string_view>

namespace enfold::gateway {

[[nodiscard]] std::shared_ptr<mcp::ServerConfig> server_identity(const UpstreamSet::List& upstreams,
                                                                 const Settings& settings);

/// Enfold as an implementation: {"name":"enfold","version":…}
[[nodiscard]] json::Value own_info(const std::string& version);

/// The client that sent this message, with name and capabilities if the message has them.
[[nodiscard]] std::shared_ptr<const mcp::Caller> caller_in(std::string_view first_message);

}  // namespace enfold::gateway

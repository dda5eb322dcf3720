// SPDX-License-Identifier: Apache-2.0
// What a gateway says about itself to clients: the identity of its upstream, or of several in one;
// and what a client says about itself in its first message.
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

/// The client that sends a first message, as far as the message says.
[[nodiscard]] std::shared_ptr<const mcp::Caller> caller_in(std::string_view first_message);

}  // namespace enfold::gateway

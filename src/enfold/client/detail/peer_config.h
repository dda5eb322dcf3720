// SPDX-License-Identifier: Apache-2.0
// What a connection tells its peer, and the errors that the peer's refusals become.
#pragma once

#include "enfold/client/options.h"

namespace enfold::client::detail {

/// `eras`: those that this connection tries.
[[nodiscard]] mcp::ClientConfig peer_config(const Target& target, const ClientOptions& options,
                                            ClientOptions::Eras eras);
[[nodiscard]] Error error_of(const mcp::RpcError& refusal);

}  // namespace enfold::client::detail

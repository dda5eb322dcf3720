// SPDX-License-Identifier: Apache-2.0
// Texts as operators see them.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/mcp/types/call.h"

namespace enfold::gateway {

/// A text without secrets: they are redacted as in answers.
[[nodiscard]] std::string shown(const Environment& environment, std::string text);

/// Name and version that a client gave in `clientInfo`, not redacted; empty: it gave none.
[[nodiscard]] std::string name_and_version(const mcp::Caller& caller);

}  // namespace enfold::gateway

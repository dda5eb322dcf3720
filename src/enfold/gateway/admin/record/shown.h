// SPDX-License-Identifier: Apache-2.0
// Texts that the dashboard shows to operators.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/mcp/types/call.h"

namespace enfold::gateway {

/// The text redacted like answers; unchanged if the configuration turns redaction off.
[[nodiscard]] std::string redacted(const Environment& environment, std::string text);

/// Name and version that a client gave in `clientInfo`, not redacted; empty: it gave none.
[[nodiscard]] std::string name_and_version(const mcp::Caller& caller);

}  // namespace enfold::gateway

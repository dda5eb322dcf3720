// SPDX-License-Identifier: Apache-2.0
// Reads any tool answer, as `enfold parse` does: removes the wrappers around it, then reads the
// envelope inside, or else data without a contract. Specified in
// docs/reference/contracts/generic.md.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/json/write.h"

#include <string_view>

namespace enfold::contract {

/// Unwraps MCP results, JSON-RPC responses, JSON in text and `output`. Unlike `read`, data without
/// a contract that has `success: false` or an `error` at its root is a failure.
[[nodiscard]] Result<Reading> read_any(json::View document, const ReadOptions& options);

}  // namespace enfold::contract

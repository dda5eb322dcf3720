// SPDX-License-Identifier: Apache-2.0
// Whether a document keeps to its contract: the schema, applied to the part that it describes.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/schema/schema.h"

namespace enfold::cli {

inline constexpr std::size_t kMostViolations = 50;

/// A JSON-RPC response is judged by the tool result that it carries, or by its error. JSON without
/// a contract is not valid in any. What was found is shown without secrets. Fails only when there
/// is more work than the limits allow.
[[nodiscard]] Result<schema::Validation> judge(contract::Id id, json::View document,
                                               const Limits& limits,
                                               std::size_t max_violations = kMostViolations);

}  // namespace enfold::cli

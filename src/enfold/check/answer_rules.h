// SPDX-License-Identifier: Apache-2.0
// The rules for what comes back from a call. What is shown of an answer never holds a secret.
#pragma once

#include "enfold/check/finding.h"
#include "enfold/contract/contract.h"
#include "enfold/mcp/wire/error.h"
#include "enfold/schema/schema.h"
#include "enfold/token/profile.h"

#include <optional>

namespace enfold::check {

struct Asked {
  std::string call;                               ///< for people
  const schema::Schema* output_schema = nullptr;  ///< as it was announced
  std::optional<contract::Id> contract;           ///< that every answer has to speak
  const token::Profile* client = nullptr;         ///< whose limits count; null: those of all
};

/// The contract that an answer is in: of its structured content, else of its only text.
[[nodiscard]] std::optional<contract::Id> spoken(json::View result);

/// `result` is a finished `CallToolResult`.
[[nodiscard]] Findings check_answer(json::View result, const Asked& asked);

/// The server answered the call of a tool that it has with a JSON-RPC error.
[[nodiscard]] Findings check_refusal(const mcp::RpcError& refusal, const Asked& asked);

}  // namespace enfold::check

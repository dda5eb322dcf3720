// SPDX-License-Identifier: Apache-2.0
// The rules for the result of a call. Findings quote answers only after redaction.
#pragma once

#include "enfold/check/finding.h"
#include "enfold/contract/contract.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/schema/schema.h"
#include "enfold/token/profile.h"

#include <optional>

namespace enfold::check {

struct CheckOptions {
  std::string call;                               ///< the call, for the report
  const schema::Schema* output_schema = nullptr;  ///< from `tools/list`
  std::optional<contract::Id> contract;           ///< the contract every answer must follow
  const token::Profile* client =
      nullptr;  ///< check against its limits; null: against those of all clients
};

/// The contract of an answer: of its structured content, or else of its only text.
[[nodiscard]] std::optional<contract::Id> contract_in(json::View result);

/// `result` is a finished `CallToolResult`.
[[nodiscard]] Findings check_answer(json::View result, const CheckOptions& options);

/// The server answered a call of a listed tool with a JSON-RPC error.
[[nodiscard]] Findings check_refusal(const mcp::RpcError& refusal, const CheckOptions& options);

}  // namespace enfold::check

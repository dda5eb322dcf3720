// SPDX-License-Identifier: Apache-2.0
// The rules of `enfold check`: for tool definitions, which need no call, and for the results of
// calls. Findings quote answers only after redaction.
#pragma once

#include "enfold/base/result.h"
#include "enfold/check/report.h"
#include "enfold/contract/contract.h"
#include "enfold/json/document.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/schema/schema.h"
#include "enfold/token/profile.h"

#include <optional>
#include <set>
#include <string>

namespace enfold::check {

struct CheckOptions {
  std::string call;                               ///< identifies the call in findings
  const schema::Schema* output_schema = nullptr;  ///< that `tools/list` announces for the tool
  std::optional<contract::Id> contract;           ///< the contract every answer must follow
  const token::Profile* client =
      nullptr;  ///< check against its limits; null: against those of all clients
};

/// The contract of an answer: of its structured content, or else of its only text.
[[nodiscard]] std::optional<contract::Id> contract_in(json::View result);

/// `result` is a finished `CallToolResult`.
[[nodiscard]] Findings check_answer(json::View result, const CheckOptions& options);

/// For a JSON-RPC error with which the server answered a call of a listed tool.
[[nodiscard]] Findings check_refusal(const mcp::RpcError& refusal, const CheckOptions& options);

/// The limit of some clients' function-calling APIs.
inline constexpr std::size_t kDescriptionLimit = 1'024;  // characters
/// Some clients add a prefix, so they allow less than the protocol's 128.
inline constexpr std::size_t kClientNameLimit = 64;  // characters of a tool name
inline constexpr std::size_t kProtocolNameLimit = 128;

/// Checks one entry of `tools/list`.
[[nodiscard]] Findings check_tool(json::View tool);
/// Also reports a duplicate name; `names` holds the names of the tools before it and is updated.
[[nodiscard]] Findings check_tool(json::View tool, std::set<std::string>& names);

/// Generates arguments for a call: only required members; values from const, default, examples or
/// enum if the schema has them. `unsupported` if no valid arguments are found, for example because
/// of a pattern.
[[nodiscard]] Result<json::Value> sample_arguments(const json::Value& input_schema);

}  // namespace enfold::check

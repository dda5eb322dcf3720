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
  std::string tool;                               ///< the name of the tool; empty: not known
  bool expects_failure = false;                   ///< the call was made to see it fail
  const schema::Schema* output_schema = nullptr;  ///< that `tools/list` announces for the tool
  std::optional<contract::Id> contract;  ///< that the answer must follow; nullopt: the detected one
  /// Check against the limits of this client; nullptr: against those of all known clients.
  const token::Profile* client = nullptr;
};

/// The contract of the structured content, or without it of the only text; nullopt: neither is an
/// envelope.
[[nodiscard]] std::optional<contract::Id> contract_in(json::View result);

/// Checks an answer. `result`: a `CallToolResult` that is neither a task nor a request for input.
[[nodiscard]] Findings check_answer(json::View result, const CheckOptions& options);

/// The known clients whose limits the result exceeds.
[[nodiscard]] std::vector<const token::Profile*> too_large_for(json::View result);

/// Checks a JSON-RPC error that a server sent in reply to a call of a listed tool. No findings if
/// clients handle its code themselves.
[[nodiscard]] Findings check_refusal(const mcp::RpcError& refusal, const CheckOptions& options);

/// Characters of a description: the limit of some clients' function-calling APIs.
inline constexpr std::size_t kDescriptionLimit = 1'024;
/// Bytes of a tool name that all clients allow: some add a prefix, so they allow less than the
/// protocol.
inline constexpr std::size_t kClientNameLimit = 64;
inline constexpr std::size_t kProtocolNameLimit = 128;  ///< bytes of a tool name in the protocol

/// Checks one entry of `tools/list`.
[[nodiscard]] Findings check_tool(json::View tool);
/// Also reports a duplicate name. `names`: the names of the tools that were checked before; the
/// name of this tool is added.
[[nodiscard]] Findings check_tool(json::View tool, std::set<std::string>& names);

/// Generates arguments for a call: only required members if the schema accepts that; values from
/// const, examples, default or enum if the schema has them, else by type, bounds, format and
/// pattern. The schema accepts the arguments, unless it cannot be compiled. `unsupported` if none
/// are found.
[[nodiscard]] Result<json::Value> sample_arguments(const json::Value& input_schema);

}  // namespace enfold::check

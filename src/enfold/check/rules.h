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
  const token::Profile* client =
      nullptr;  ///< check against its limits; null: against those of all known clients
};

/// The contract of the structured content, or else of the only text; nullopt: it is no envelope.
[[nodiscard]] std::optional<contract::Id> contract_in(json::View result);

/// `result` is a finished `CallToolResult`, neither a task nor a request for input.
[[nodiscard]] Findings check_answer(json::View result, const CheckOptions& options);

/// The known clients whose limits the result exceeds.
[[nodiscard]] std::vector<const token::Profile*> too_large_for(json::View result);

/// For a JSON-RPC error that answers a call of a listed tool; none if clients handle its code.
[[nodiscard]] Findings check_refusal(const mcp::RpcError& refusal, const CheckOptions& options);

/// Characters of a description: the limit of some clients' function-calling APIs.
inline constexpr std::size_t kDescriptionLimit = 1'024;
/// Bytes of a tool name. Some clients add a prefix, so they allow less than the protocol.
inline constexpr std::size_t kClientNameLimit = 64;
inline constexpr std::size_t kProtocolNameLimit = 128;

/// Checks one entry of `tools/list`.
[[nodiscard]] Findings check_tool(json::View tool);
/// Also reports a duplicate name; `names` holds the names of the tools before it and is updated.
[[nodiscard]] Findings check_tool(json::View tool, std::set<std::string>& names);

/// Generates arguments for a call: only required members if that is enough; values from const,
/// examples, default or enum if the schema has them, else by type, bounds, format and pattern. The
/// schema accepts them, unless it cannot be compiled. `unsupported` if none are found.
[[nodiscard]] Result<json::Value> sample_arguments(const json::Value& input_schema);

}  // namespace enfold::check

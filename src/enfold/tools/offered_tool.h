// SPDX-License-Identifier: Apache-2.0
// A tool as clients see it in tools/list, made ready for calls: schemas compiled, names of
// arguments collected. Typed tools, Enfold's own tools and tools of other servers are all described
// by it.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/budget/output_schema.h"
#include "enfold/contract/contract.h"
#include "enfold/mcp/types/catalog.h"
#include "enfold/mcp/wire/headers.h"
#include "enfold/model/response.h"
#include "enfold/redact/redact.h"
#include "enfold/schema/schema.h"
#include "enfold/store/counters.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::tools {

/// Answers are written in this contract; nullopt: contract `none`.
using AnswerContract = std::optional<contract::Id>;
[[nodiscard]] AnswerContract answer_contract(std::string_view name);

/// What is said about a tool.
struct ToolSpec {
  std::string name;
  std::string description;
  std::string title;
  std::vector<std::pair<std::string, bool>> annotations;
  json::Value input_schema;
  json::Value payload_schema;                         ///< null: an answer in words or blocks
  bool has_levels = false;                            ///< levels above minimal show more
  std::optional<std::chrono::milliseconds> deadline;  ///< runs on a worker
  std::optional<store::RateLimit> rate_limit;
  std::string flag;
  std::optional<model::Tier> tier;
  std::string version;
  std::vector<std::string> capabilities;
  budget::Policy policy;
};

/// What is done with the arguments of a call before the tool gets them.
enum class ArgumentPolicy {
  checked,  ///< against the input schema; without those that ask for a level
  read,     ///< the tool checks them itself; without those that ask for a level
  as_sent,  ///< unchanged; refused only for the marker of a redacted secret
};

struct OfferedTool {
  ToolSpec spec;
  ArgumentPolicy argument_policy = ArgumentPolicy::checked;
  bool rate_limited = true;
  schema::Schema input;
  std::vector<std::string> required;
  std::vector<std::string> arguments;  ///< names of those that are declared
  mcp::ParamHeaders headers;
  std::optional<budget::OutputSchema> payload;
  bool answers_in_envelope = false;  ///< of its own, and `payload` is the schema of that
  bool is_clean = false;             ///< its name and version hold nothing that looks like a secret

  /// The output schema for answers in this contract; null: none.
  [[nodiscard]] json::Value output_schema(AnswerContract contract) const;
};

/// Fails, with the tool's name, for a schema that does not compile. `version` is that of the
/// server, for a tool without one.
[[nodiscard]] Result<OfferedTool> offer(ToolSpec spec, ArgumentPolicy arguments,
                                        std::string_view version,
                                        const std::optional<redact::Policy>& redaction);

/// As tools/list shows it. Without `structured` an envelope is announced by no schema: where there
/// is one, clients insist on structured content.
[[nodiscard]] mcp::Tool as_mcp(const OfferedTool& tool, AnswerContract contract, bool structured);

}  // namespace enfold::tools

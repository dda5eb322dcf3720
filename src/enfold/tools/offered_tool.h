// SPDX-License-Identifier: Apache-2.0
// A tool as tools/list shows it, with its compiled schemas: a typed tool (a C++ function of a
// program that uses the library), a tool of Enfold, or a tool of an upstream.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/contract/contract.h"
#include "enfold/mcp/types/catalog.h"
#include "enfold/mcp/wire/headers.h"
#include "enfold/model/response.h"
#include "enfold/redact/redact.h"
#include "enfold/schema/schema.h"
#include "enfold/store/counters.h"

namespace enfold::tools {

struct Problem;

/// The contract of answers; nullopt: `none`.
using AnswerContract = std::optional<contract::Id>;
/// The contract of this name; nullopt: `none`, or an unknown name.
[[nodiscard]] AnswerContract answer_contract(std::string_view name);

/// The declaration of a tool.
struct ToolSpec {
  std::string name;
  std::string description;
  std::string title;
  std::vector<std::pair<std::string, bool>> annotations;  ///< readOnlyHint and other hints of MCP
  json::Value input_schema;
  /// Adds to the problems of the schema those that reading the arguments finds; nullptr: none.
  void (*find_problems)(json::View arguments, std::vector<Problem>& problems) = nullptr;
  json::Value payload_schema;    ///< null: the answer is text or blocks
  bool announces_output = true;  ///< whether tools/list has its output schema
  json::Value meta;              ///< `_meta` in tools/list; null: none
  bool has_levels = false;       ///< its answers differ by level
  std::optional<std::chrono::milliseconds>
      deadline;                                ///< of a call; nullopt: it is answered at once
  std::optional<store::RateLimit> rate_limit;  ///< nullopt: that of the settings
  std::string flag;                            ///< feature flag that must be on; empty: none
  std::optional<model::Tier> tier;  ///< lowest tier of the service that has the tool; nullopt: any
  std::string version;              ///< empty: that of the server
  std::vector<std::string> capabilities;  ///< names, for the envelope
  budget::Policy policy;                  ///< how its answers are cut
};

/// How the arguments of a call are treated before the tool gets them.
enum class ArgumentPolicy {
  /// Checked against the input schema. Removed before: arguments that choose the level, unless the
  /// tool declares them, and nulls of declared arguments, and of members of them, that are not
  /// required.
  checked,
  /// Checked by the tool itself; the same arguments are removed, but nothing in them. Refused if
  /// they
  /// contain the marker of a redacted secret.
  read,
  as_sent,  ///< unchanged; refused only for such a marker
};

struct OfferedTool {
  ToolSpec spec;
  ArgumentPolicy argument_policy = ArgumentPolicy::checked;
  bool rate_limited = true;                     ///< false: no rate limit applies
  schema::Schema input;                         ///< the compiled schema, without level arguments
  std::vector<std::string> required;            ///< names of required arguments
  std::vector<std::string> arguments;           ///< names of all declared arguments
  mcp::ParamHeaders headers;                    ///< arguments that clients send as HTTP headers too
  std::optional<budget::OutputSchema> payload;  ///< `spec.payload_schema`, compiled
  /// The tool answers in an envelope of its own, which `payload` describes.
  bool answers_in_envelope = false;
  bool has_clean_name = false;  ///< redaction is on and finds no secret in its name and version

  /// The output schema for answers in this contract; null: none.
  [[nodiscard]] json::Value output_schema(AnswerContract contract) const;
};

/// Compiles the schemas of a tool. Fails, with the tool's name, for a schema that does not compile.
/// `version`: of the server, for a tool without its own.
[[nodiscard]] Result<OfferedTool> offer(ToolSpec spec, ArgumentPolicy arguments,
                                        std::string_view version,
                                        const std::optional<redact::Policy>& redaction);

/// The tool for tools/list. `structured` false: answers in a contract have no structured content,
/// so no output schema is announced for them; clients that see one require that content.
[[nodiscard]] mcp::Tool as_mcp(const OfferedTool& tool, AnswerContract contract, bool structured);

}  // namespace enfold::tools

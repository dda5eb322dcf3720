// SPDX-License-Identifier: Apache-2.0
// What goes into the shaping of one answer and what comes out of it, as plain values. The call
// decides everything here once, before the tool runs: contract, level, budget, warnings.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/answer/output_check.h"
#include "enfold/level/decide.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::answer {

/// Makes the content block that links to an archived answer of a tool.
using ArchiveLink = json::Value (*)(std::string_view handle, std::string_view tool);

/// What a call decides about its answer before the tool runs.
struct AnswerPlan {
  // How the answer is written.
  /// nullopt: contract `none`, the result without an envelope, neither cut nor redacted.
  std::optional<contract::Id> contract = contract::Id::response_v2;
  FitSettings fit;             ///< fit.shape.contract is the contract, where there is one
  model::Tool tool;            ///< as envelopes name it
  bool tool_is_clean = false;  ///< name and version were searched for secrets and hold none
  bool structured = true;      ///< the tool declares an output schema (contract `none`)
  OutputCheck output_check = OutputCheck::off;
  DeclaredOutput declared;     ///< the schema that `output_check` holds answers to
  ArchiveLink link = nullptr;  ///< nullptr: a cut answer gets no link to its original

  // What is known about the call.
  std::string request_id;
  std::string called_as;  ///< the tool's name as the client wrote it
  level::LevelDecision level;
  json::Value arguments;  ///< their words decide which records of a cut answer are kept first
  bool cache_hit = false;
  std::vector<model::Warning> warnings;
  std::optional<model::Warning> fallback_warning;  ///< another upstream answered
  std::optional<model::RateLimit> rate_limit;
  std::optional<model::Warning> rate_warning;  ///< few calls are left; only told with a success
};

/// How a call ended, for logs and metrics.
enum class CallOutcome { ok, partial, failed, input_required, refused, cancelled };
[[nodiscard]] std::string_view name(CallOutcome outcome);
[[nodiscard]] CallOutcome outcome_of(const model::Response& response);

/// A finished answer and what logs and metrics need of it.
struct ShapedAnswer {
  json::Output result;  ///< the MCP result
  CallOutcome outcome = CallOutcome::ok;
  std::string code;  ///< of a failure
  model::Fidelity fidelity = model::Fidelity::full;
  std::size_t tokens = 0;  ///< in the channel that a model reads; 0: not counted
  std::size_t archived_bytes = 0;
};

}  // namespace enfold::answer

// SPDX-License-Identifier: Apache-2.0
// From what a handler gave to what the client gets: the pipeline in its two halves, around the one
// moment that may take long, when the original of an answer over its budget is stored.
#pragma once

#include "enfold/mcp/types/result.h"
#include "enfold/server/detail/call_plan.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace enfold::server {

/// A finished answer, and what the log and the counters need of it.
struct Concluded {
  mcp::Reply reply;
  std::string outcome;  ///< ok, partial, failed, input_required, refused
  std::string code;     ///< of a failure
  std::string_view fidelity = "full";
  std::size_t tokens = 0;  ///< in the channel that a model reads; 0: nobody had to count
  std::size_t archived_bytes = 0;
};

/// What an answer is called and how long it took.
struct AnswerFacts {
  std::string tool;
  mcp::Era era = mcp::Era::sessions;
  std::chrono::microseconds duration{0};
};

/// Stores what must be safe before anything of an answer is left out.
[[nodiscard]] Result<store::Receipt> keep(const answer::Prepared& prepared, const OfferedTool& tool,
                                          const CallPlan& plan, const Shared& shared);

/// What is left of the plan's limit, and a warning when that is little.
void add_rate_limit(model::Response& response, const OfferedTool& tool, const CallPlan& plan);

/// Done, or over the budget: then `finish_answer` goes on, on a thread that may wait.
using Begun = std::variant<Concluded, answer::Prepared>;
[[nodiscard]] Begun begin_answer(Given&& given, Additions additions, const OfferedTool& tool,
                                 const CallPlan& plan, const AnswerFacts& facts,
                                 const Shared& shared);
[[nodiscard]] Concluded finish_answer(answer::Prepared prepared, const OfferedTool& tool,
                                      const CallPlan& plan, const Shared& shared);

/// What the pipeline is told about a call.
[[nodiscard]] answer::Call call_of(const OfferedTool& tool, const CallPlan& plan,
                                   const AnswerFacts& facts);

/// Counting is the dearest part of a small answer, and most answers are small. No byte costs more
/// than two tokens in any profile, so what is this short fits for certain.
[[nodiscard]] bool fits_for_certain(const json::Output& result, const budget::Budget& budget);

/// A response that was written whole.
[[nodiscard]] Concluded concluded(const model::Response& response, json::Output result);

/// A failure of any cause, whatever its size.
[[nodiscard]] Concluded conclude_failure(model::Response failed, const OfferedTool& tool,
                                         const CallPlan& plan, const AnswerFacts& facts,
                                         const Shared& shared);

/// enfold_fetch. Reads the archive.
[[nodiscard]] Concluded conclude_fetch(const OfferedTool& tool, const CallPlan& plan,
                                       const AnswerFacts& facts, const Shared& shared);

/// The state of a question, sealed for this tool and this principal for an hour.
[[nodiscard]] std::string seal_state(const json::Value& state, std::string_view about,
                                     std::string_view principal, const Shared& shared);
/// `invalid_input` for one that was altered, made for something else, or is too old.
[[nodiscard]] Result<json::Value> open_state(std::string_view sealed, std::string_view about,
                                             std::string_view principal, const Shared& shared);

}  // namespace enfold::server

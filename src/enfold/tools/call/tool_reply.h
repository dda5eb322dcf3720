// SPDX-License-Identifier: Apache-2.0
// The reply to a tool call, with what logs and metrics need of it; and the storing that stands
// between the two halves of shaping an answer.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/mcp/types/result.h"
#include "enfold/tools/call/call_plan.h"

#include <cstddef>
#include <string>

namespace enfold::tools {

struct ToolReply {
  mcp::Reply reply;
  answer::CallOutcome outcome = answer::CallOutcome::ok;
  std::string code{};  ///< of a failure
  model::Fidelity fidelity = model::Fidelity::full;
  std::size_t tokens = 0;  ///< in the channel that a model reads; 0: not counted
  std::size_t archived_bytes = 0;
};

[[nodiscard]] ToolReply reply_of(answer::ShapedAnswer&& answer);

/// Stores the original of an answer over its budget and finishes the answer. May wait for a disk or
/// a network: belongs on a worker.
[[nodiscard]] ToolReply store_and_finish(answer::Prepared prepared, const CallPlan& plan,
                                         const AnswerServices& services);

/// A failure of Enfold's own making.
[[nodiscard]] ToolReply reply_with_failure(model::Response failed, const CallPlan& plan,
                                           answer::Duration duration);

}  // namespace enfold::tools

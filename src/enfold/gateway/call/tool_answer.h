// SPDX-License-Identifier: Apache-2.0
// From a tool's result, or from what went wrong, to the reply that the client gets. Shaping is done
// by `answer`; this says what the gateway knows about the call.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/upstream/tool_table.h"
#include "enfold/tools/call/tool_reply.h"

namespace enfold::gateway {

/// What is known about one call when its result comes.
struct AnswerContext {
  OfferedPointer tool;
  tools::CallPlan plan;
  std::chrono::microseconds duration{0};                  ///< of the upstream call
  std::shared_ptr<const tools::AnswerServices> services;  ///< as they were when the call came
  std::string upstream;                                   ///< its name, for messages
  bool over_http = false;                                 ///< it is not ours to start
};

/// What is a secret in the words of a call; nullptr: without a contract nothing is touched.
[[nodiscard]] const redact::Policy* policy_of(const tools::CallPlan& plan);

/// An error without the secrets in its words.
[[nodiscard]] client::CallResult without_secrets(client::CallResult result,
                                                 const tools::CallPlan& plan);

/// The message of a task, with the answer in the place of its `result`.
[[nodiscard]] mcp::Reply in_place(const json::Value& message, mcp::Reply answer);

/// Whether a result is a tool's finished answer: not a question, not a handle of a task.
[[nodiscard]] bool is_finished_answer(json::View result);

/// The finished reply, or an answer over its budget: then `finish_answer` goes on, on a worker.
using ToolAnswer = std::variant<tools::ToolReply, answer::Prepared>;
[[nodiscard]] ToolAnswer begin_answer(const json::Value& result, const AnswerContext& about);
[[nodiscard]] tools::ToolReply finish_answer(answer::Prepared prepared, const AnswerContext& about);

/// A failure in place of an answer.
[[nodiscard]] tools::ToolReply answer_failure(model::Response failed, const AnswerContext& about);

/// No worker is free to shape the answer.
[[nodiscard]] tools::ToolReply too_busy(const AnswerContext& about);

/// No answer came: UPSTREAM_TIMEOUT, UPSTREAM_UNAVAILABLE or UPSTREAM_PROTOCOL_ERROR.
[[nodiscard]] model::Response failure_of(const client::CallFailure& failure,
                                         const AnswerContext& about);

}  // namespace enfold::gateway

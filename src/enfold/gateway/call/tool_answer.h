// SPDX-License-Identifier: Apache-2.0
// Turns a tool's result, or a failure of the call, into the reply for the client. The library
// `answer` does the shaping; the functions here give it what the gateway knows about the call.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/upstream/tool_table.h"
#include "enfold/tools/call/tool_reply.h"

namespace enfold::gateway {

/// What is known about one call when its result comes.
struct AnswerContext {
  OfferedToolPtr tool;
  tools::CallPlan plan;
  std::chrono::microseconds duration{0};                  ///< of the upstream call
  std::shared_ptr<const tools::AnswerServices> services;  ///< those in effect when the call arrived
  std::string upstream;                                   ///< its name, for messages
  bool over_http =
      false;  ///< a remote server, which the gateway does not start; changes the advice in messages
};

/// The redaction policy for messages and errors of this call; nullptr with the contract "none",
/// which changes nothing.
[[nodiscard]] const redact::Policy* policy_of(const tools::CallPlan& plan);

/// The result; if it is an error, with secrets removed from its message and data.
[[nodiscard]] client::CallResult without_secrets(client::CallResult result,
                                                 const tools::CallPlan& plan);

/// The message of a task with its `result` replaced by the shaped answer.
[[nodiscard]] mcp::Reply replace_task_result(const json::Value& message, mcp::Reply answer);

/// Whether a result is a tool's finished answer: not a question, not a handle of a task.
[[nodiscard]] bool is_finished_answer(json::View result);

/// Either the finished reply, or an answer over its budget, for which a worker must call
/// `finish_answer`.
using ToolAnswer = std::variant<tools::ToolReply, answer::Prepared>;
[[nodiscard]] ToolAnswer begin_answer(const json::Value& result, const AnswerContext& about);
[[nodiscard]] tools::ToolReply finish_answer(answer::Prepared prepared, const AnswerContext& about);

/// The reply for a call that failed.
[[nodiscard]] tools::ToolReply answer_failure(model::Response failed, const AnswerContext& about);

/// The reply when no worker is free to shape the answer.
[[nodiscard]] tools::ToolReply too_busy(const AnswerContext& about);

/// The failure of a call that got no usable answer: UPSTREAM_TIMEOUT, UPSTREAM_UNAVAILABLE or
/// UPSTREAM_PROTOCOL_ERROR.
[[nodiscard]] model::Response failure_of(const client::CallFailure& failure,
                                         const AnswerContext& about);

}  // namespace enfold::gateway

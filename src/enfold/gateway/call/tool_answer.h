// SPDX-License-Identifier: Apache-2.0
// From a tool's result, or from what went wrong, to the answer that the client gets: the pipeline
// around its one wait, the storing of what is left out.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/policy/output_check.h"
#include "enfold/gateway/upstream/tool_table.h"
#include "enfold/server/detail/finish_answer.h"

namespace enfold::gateway {

/// What is known about one call when its result comes.
struct ToolAnswering {
  OfferedPointer tool;
  server::CallPlan plan;
  server::AnswerFacts facts;
  std::shared_ptr<const server::Shared> shared;  ///< as it was when the call came
  std::string upstream;                          ///< its name, for messages
  bool over_http = false;                        ///< it is not ours to start
  bool from_cache = false;
  OutputCheck check = OutputCheck::warn;
  std::optional<SchemaBreak> refused{};  ///< for breaking its schema; found by `begin_answer`
};

/// What is a secret in the words of a call; nullptr: without a contract nothing is touched.
[[nodiscard]] const redact::Policy* policy_of(const server::CallPlan& plan);

/// An error without the secrets in its words.
[[nodiscard]] client::CallResult without_secrets(client::CallResult result,
                                                 const server::CallPlan& plan);

/// The message of a task, with the answer in the place of its `result`.
[[nodiscard]] mcp::Reply in_place(const json::Value& message, mcp::Reply answer);

/// Whether a result is a tool's finished answer: not a question, not a handle of a task.
[[nodiscard]] bool is_finished_answer(json::View result);

/// Done, or over the budget: then `finish` goes on, on a thread that may wait.
[[nodiscard]] server::Begun begin_answer(const json::Value& result, ToolAnswering& about);
[[nodiscard]] server::Concluded finish_answer(answer::Prepared prepared,
                                              const ToolAnswering& about);

/// Nobody is free to shape the answer.
[[nodiscard]] server::Concluded too_busy(const ToolAnswering& about);

/// No answer came: UPSTREAM_TIMEOUT, UPSTREAM_UNAVAILABLE or UPSTREAM_PROTOCOL_ERROR.
[[nodiscard]] model::Response failure_of(const client::CallFailure& failure,
                                         const ToolAnswering& about);

}  // namespace enfold::gateway

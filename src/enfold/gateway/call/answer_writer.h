// SPDX-License-Identifier: Apache-2.0
// Plans the answer of a tool before the upstream is called, and shapes it when the result has come:
// short results at once, long ones and those that must be archived on a worker.
#pragma once

#include "enfold/gateway/call/tool_answer.h"
#include "enfold/gateway/lists/local_tools.h"
#include "enfold/gateway/observe/answer_cost.h"
#include "enfold/gateway/upstream/client_session.h"

#include <functional>
#include <memory>
#include <string>

namespace enfold::gateway {

/// How the answer of one call is written. The same for a task, whose answer comes later.
struct PlannedAnswer {
  AnswerContext about;         ///< what the shaper needs
  std::uint64_t upstream = 0;  ///< Upstream::number
  ToolRules rules;
  std::string trace_id;
  std::shared_ptr<SessionUse> budget;  ///< nullptr: the session has none
};

class AnswerWriter {
 public:
  AnswerWriter(const Environment& environment, const Routes& routes, LocalTools& local,
               ClientSessions& sessions, CallLog& log)
      : environment_(environment), routes_(routes), local_(local), sessions_(sessions), log_(log) {}

  [[nodiscard]] std::shared_ptr<PlannedAnswer> plan(const mcp::Call& call, serve::Port& port,
                                                    const Route& route);

  using Done = std::function<void(mcp::Reply reply)>;
  void shape(const std::shared_ptr<PlannedAnswer>& answer, json::Value result, Done done);
  /// The reply for a call that failed.
  [[nodiscard]] mcp::Reply fail(const PlannedAnswer& answer, model::Response failure);
  /// The reply for a call that was not sent; it costs nothing of the session's budget.
  [[nodiscard]] mcp::Reply refuse(const PlannedAnswer& answer, model::Response refusal);
  [[nodiscard]] mcp::Reply refuse_for_load(const PlannedAnswer& answer);
  /// Logs a result that passes as it is.
  void note_passed(const PlannedAnswer& answer, const client::CallResult& result);

 private:
  struct Shaped {
    tools::ToolReply concluded;
    AnswerCost cost{};
    const AnswerCost* typical = nullptr;
  };
  [[nodiscard]] std::shared_ptr<SessionUse> budget_for(const mcp::Call& call, serve::Port& port);
  [[nodiscard]] const AnswerCost* typical_for(const PlannedAnswer& answer) const;
  [[nodiscard]] AnswerCost cost_of(const PlannedAnswer& answer, json::View result,
                                   const AnswerCost* typical) const;
  template <class Work>
  void shape_on_worker(const std::shared_ptr<PlannedAnswer>& answer, const SessionUse::Share& share,
                       Done done, Work work);
  [[nodiscard]] mcp::Reply conclude(const PlannedAnswer& answer, const SessionUse::Share& share,
                                    Shaped shaped);
  void note(const PlannedAnswer& answer, const Shaped& shaped);

  const Environment& environment_;
  const Routes& routes_;
  LocalTools& local_;
  ClientSessions& sessions_;
  CallLog& log_;
  SessionBudgets budgets_;
};

}  // namespace enfold::gateway

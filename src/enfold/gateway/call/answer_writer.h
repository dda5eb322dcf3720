// SPDX-License-Identifier: Apache-2.0
// Decides how a tool's answer is written before the upstream is called, and writes it when the
// result has arrived: short results at once; long ones, and those that must be archived, on a
// worker.
#pragma once

#include "enfold/gateway/call/tool_answer.h"
#include "enfold/gateway/lists/local_tools.h"
#include "enfold/gateway/observe/answer_cost.h"
#include "enfold/gateway/upstream/client_session.h"

#include <functional>
#include <memory>
#include <string>

namespace enfold::gateway {

/// How the answer of one call is written. A task keeps it until its answer arrives.
struct PlannedAnswer {
  AnswerContext about;         ///< what the shaper needs
  std::uint64_t upstream = 0;  ///< Upstream::number
  ToolRules rules;
  std::string trace_id;
  std::shared_ptr<SessionBudget> budget;  ///< nullptr: the session has no budget
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
  /// The reply for a call that was not sent; it uses nothing of the session's budget.
  [[nodiscard]] mcp::Reply refuse(const PlannedAnswer& answer, model::Response refusal);
  /// The reply when the gateway has too many open calls.
  [[nodiscard]] mcp::Reply refuse_for_load(const PlannedAnswer& answer);
  /// Logs a result that is forwarded unchanged.
  void note_passed(const PlannedAnswer& answer, const client::CallResult& result);

 private:
  struct ShapedAnswer {
    tools::ToolReply reply;
    AnswerCost cost{};
    const AnswerCost* typical_cost = nullptr;  ///< average of this tool so far; nullptr: unknown
  };
  [[nodiscard]] std::shared_ptr<SessionBudget> budget_for(const mcp::Call& call, serve::Port& port);
  [[nodiscard]] const AnswerCost* typical_for(const PlannedAnswer& answer) const;
  [[nodiscard]] AnswerCost cost_of(const PlannedAnswer& answer, json::View result,
                                   const AnswerCost* typical) const;
  template <class Work>
  void shape_on_worker(const std::shared_ptr<PlannedAnswer>& answer,
                       const SessionBudget::Share& share, Done done, Work work);
  /// Charges the tokens to the session's budget, logs the answer and returns the reply. `share` is
  /// what the budget reserved for the answer.
  [[nodiscard]] mcp::Reply finish(const PlannedAnswer& answer, const SessionBudget::Share& share,
                                  ShapedAnswer shaped);
  void note(const PlannedAnswer& answer, const ShapedAnswer& shaped);

  const Environment& environment_;
  const Routes& routes_;
  LocalTools& local_;
  ClientSessions& sessions_;
  CallLog& log_;
  SessionBudgets budgets_;
};

}  // namespace enfold::gateway

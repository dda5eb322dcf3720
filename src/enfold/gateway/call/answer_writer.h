// SPDX-License-Identifier: Apache-2.0
// Decides how a tool's answer is written before the upstream is called, and writes it when the
// result has arrived: short results at once; long ones, and those that must be archived, on a
// worker. The module `answer` puts a result into the contract and cuts it ("shapes" it);
// AnswerWriter gives it what the gateway knows about the call, and logs the answer.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/call/answer_lane.h"
#include "enfold/gateway/lists/local_tools.h"
#include "enfold/gateway/observe/answer_cost.h"
#include "enfold/gateway/policy/client_share.h"
#include "enfold/gateway/upstream/connections.h"
#include "enfold/gateway/upstream/tool_table.h"
#include "enfold/tools/call/tool_run.h"

namespace enfold::gateway {

/// What is known about one call when its result arrives.
struct AnswerContext {
  OfferedToolPtr tool;
  tools::CallPlan plan;
  std::chrono::microseconds duration{0};                  ///< of the last upstream call
  std::shared_ptr<const tools::AnswerServices> services;  ///< those in effect when the call arrived
  std::string upstream;                                   ///< name of the upstream, for messages
  std::string client_address;                             ///< for the log; empty over stdio
  ClientShare client_share;  ///< as whose job the answer waits for a worker
  /// The upstream is reached over HTTP, not started by the gateway: failures give other advice.
  bool over_http = false;
  int http_status = 0;  ///< of a failed call over HTTP; 0: not known
  std::shared_ptr<const mcp::Caller> caller;
};

/// The redaction policy of this call; nullptr: redaction is off.
[[nodiscard]] const redact::Policy* policy_of(const tools::CallPlan& plan);

/// `message`, the result of tasks/get, with its member `result` replaced by the shaped `answer`.
/// Returns `answer` itself if it is an error or `message` has no such member.
[[nodiscard]] mcp::Reply replace_task_result(const json::Value& message, mcp::Reply answer);

/// The failure of a call that was refused before it ran, because the gateway is overloaded.
[[nodiscard]] model::Response busy_failure(std::string message = "The gateway is busy");

/// The failure of a call that got no usable answer: UPSTREAM_TIMEOUT, UPSTREAM_UNAVAILABLE or
/// UPSTREAM_PROTOCOL_ERROR.
[[nodiscard]] model::Response failure_of(const client::CallFailure& failure,
                                         const AnswerContext& about);

/// How the answer of one call is written. Tasks keeps a copy for every task.
struct PlannedAnswer {
  AnswerContext about;
  std::uint64_t upstream = 0;  ///< Upstream::number
  ToolRules rules;
  std::string trace_id;                   ///< for the log; empty: the call has no trace
  std::shared_ptr<SessionBudget> budget;  ///< nullptr: the session has no budget
};

class AnswerWriter {
 public:
  AnswerWriter(const Environment& environment, LocalTools& local, ClientSessions& sessions,
               CallLog& log)
      : environment_(environment),
        local_(local),
        sessions_(sessions),
        log_(log),
        lane_(environment) {}

  /// The queue in which long answers wait for a worker.
  [[nodiscard]] AnswerLane& lane() { return lane_; }
  /// AnswerLane::reserve for this call; null: the call must be refused before it runs.
  [[nodiscard]] std::shared_ptr<void> reserve_room(const PlannedAnswer& answer);

  /// Decides how the answer of a call will be written.
  [[nodiscard]] std::shared_ptr<PlannedAnswer> plan(const mcp::Call& call,
                                                    serve::ClientChannel& channel,
                                                    const Route& route, tools::ClientTerms client);

  using Done = std::function<void(mcp::Reply reply)>;
  /// Shapes a result of the upstream, whatever its `resultType`, then calls `done` on the loop's
  /// thread, now or later. With contract `none` the result is only redacted
  /// (answer::pass_through), unless it exceeds the budget that the operator has set.
  void shape(const std::shared_ptr<PlannedAnswer>& answer, json::Value result, Done done);
  /// The next records of an answer that was cut, for a call with a cursor of Enfold. This and
  /// `fetch_answer` refuse if too many jobs of the client wait (AnswerLane::may_read_archive).
  void continue_answer(const std::shared_ptr<PlannedAnswer>& answer, std::string cursor, Done done);
  /// Answers a call of an upstream's tool `enfold_fetch` from the gateway's own archive.
  void fetch_answer(const std::shared_ptr<PlannedAnswer>& answer, Done done);
  /// Redacts a result that is not a finished answer, such as a question or the state of a task, and
  /// calls `done` on the loop's thread. Long results are redacted on a worker.
  void redact_interim(const std::shared_ptr<PlannedAnswer>& answer, json::Value value,
                      std::function<void(json::Value shown)> done);
  /// Archives, on a worker, the result of a call whose client does not wait any more, and logs its
  /// handle.
  void archive_unsent(const std::shared_ptr<PlannedAnswer>& answer, json::Value result);
  /// The reply for a call that was sent and failed.
  [[nodiscard]] mcp::Reply fail(const std::shared_ptr<PlannedAnswer>& answer,
                                model::Response failure);
  /// The reply for a call that was not sent; it uses nothing of the session's budget.
  [[nodiscard]] mcp::Reply refuse(const std::shared_ptr<PlannedAnswer>& answer,
                                  model::Response refusal);
  /// Logs a result that is no finished answer and is forwarded.
  void log_forwarded(const std::shared_ptr<PlannedAnswer>& answer,
                     const client::CallResult& result);

 private:
  struct ShapedAnswer {
    tools::ToolReply reply;
    AnswerCost cost{};
    const AnswerCost* earlier = nullptr;  ///< see earlier_answers()
  };
  /// The budget of the client's session; nullptr: sessions have no budget.
  [[nodiscard]] std::shared_ptr<SessionBudget> budget_for(const mcp::Call& call,
                                                          serve::ClientChannel& channel);
  /// Sums over earlier answers of the tool; null: tokens are not counted, or the cost of this
  /// answer must be measured (CallLog::sums_for_estimate).
  [[nodiscard]] const AnswerCost* earlier_answers(const PlannedAnswer& answer) const;
  /// The cost of `result`, estimated from `earlier`; measured if `earlier` is null. Empty if tokens
  /// are not counted.
  [[nodiscard]] AnswerCost cost_of(const PlannedAnswer& answer, json::View result,
                                   const AnswerCost* earlier) const;
  /// Reserves the answer's share of the session's budget, and limits the answer to it.
  [[nodiscard]] static SessionBudget::Share reserve_share(PlannedAnswer& answer);
  /// Runs `work`, which reads an archived answer, on a worker; refuses if too many jobs of the
  /// client wait.
  template <class Work>
  void read_archive_on_worker(const std::shared_ptr<PlannedAnswer>& answer, Done done, Work work);
  /// Runs `work`, which returns a ShapedAnswer, on a worker; then calls `done` with finish().
  /// `bytes`: as for AnswerLane::run.
  template <class Work>
  void shape_on_worker(const std::shared_ptr<PlannedAnswer>& answer,
                       const SessionBudget::Share& share, Done done, std::size_t bytes, Work work);
  /// Charges the tokens to the session's budget, logs the answer and returns the reply. `share` is
  /// what the budget reserved for the answer.
  [[nodiscard]] mcp::Reply finish(const std::shared_ptr<PlannedAnswer>& answer,
                                  const SessionBudget::Share& share, ShapedAnswer shaped);
  void log_shaped(const std::shared_ptr<PlannedAnswer>& answer, const ShapedAnswer& shaped);

  const Environment& environment_;
  LocalTools& local_;
  ClientSessions& sessions_;
  CallLog& log_;
  SessionBudgets budgets_;
  AnswerLane lane_;
};

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// One call of a tool that runs in this process, from its arguments to its reply: it is planned,
// admitted (on a worker if other processes share the rate limits), run on the serving thread or on
// a worker, answered and logged. If the deadline passes first, a later result is dropped. The
// gateway uses ToolReply and its functions for the answers of upstreams.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/mcp/types/result.h"
#include "enfold/serve/service.h"
#include "enfold/tools/call/call_plan.h"
#include "enfold/tools/fetch_tool.h"

namespace enfold::tools {

/// The reply to a tool call, and what the log and the metrics need about it.
struct ToolReply {
  mcp::Reply reply;
  answer::CallOutcome outcome = answer::CallOutcome::ok;
  std::string code{};  ///< of a failure
  model::Fidelity fidelity = model::Fidelity::full;
  std::size_t tokens = 0;          ///< of the part that a model reads; 0: not counted
  std::size_t archived_bytes = 0;  ///< 0: the answer was not archived
  answer::AnswerFacts facts{};
};

[[nodiscard]] inline ToolReply reply_of(answer::ShapedAnswer&& answer) {
  return {mcp::complete(std::move(answer.result), answer.has_meta),
          answer.outcome,
          std::move(answer.code),
          answer.fidelity,
          answer.tokens,
          answer.archived_bytes,
          std::move(answer.facts)};
}

/// Stores the original of an answer over its budget and finishes the answer. May wait for a disk or
/// a network: belongs on a worker.
[[nodiscard]] ToolReply store_and_finish(answer::PreparedAnswer prepared, const CallPlan& plan,
                                         const AnswerServices& services);

/// Archives the result of a call whose client does not wait any more, as `answer::pass_through`
/// shows it. May wait for a disk or a network: belongs on a worker.
[[nodiscard]] Result<answer::Receipt> store_outcome(const json::Value& result, const CallPlan& plan,
                                                    const AnswerServices& services);

/// The reply to a call with a cursor of Enfold (own_cursor): the next records of the answer that
/// was cut, without running the tool. Reads the archive: belongs on a worker.
[[nodiscard]] ToolReply continue_reply(const std::string& cursor, const CallPlan& plan,
                                       const AnswerServices& services, answer::Duration duration);

/// The archive of the services, as the principal of the call may read it. Refers to `services`.
[[nodiscard]] FetchSource fetch_source(const CallPlan& plan, const AnswerServices& services);

/// The reply of `enfold_fetch`. Reads the archive: belongs on a worker.
[[nodiscard]] ToolReply fetch_reply(const CallPlan& plan, const AnswerServices& services,
                                    answer::Duration duration);

/// The reply for a failure that Enfold reports itself.
[[nodiscard]] ToolReply reply_with_failure(model::Response failed, const CallPlan& plan,
                                           answer::Duration duration);

/// Subclasses implement `answer`. All functions but the accessors and `elapsed` are called on the
/// serving thread.
class ToolRun : public std::enable_shared_from_this<ToolRun> {
 public:
  /// `running` counts the calls that wait for a worker or run on one. Tool, services and counter
  /// must outlive the run.
  ToolRun(const OfferedTool& tool, const AnswerServices& services, std::size_t& running,
          mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel,
          ClientTerms client, std::shared_ptr<serve::Cancellation> cancellation);
  ToolRun(const ToolRun&) = delete;
  ToolRun& operator=(const ToolRun&) = delete;
  virtual ~ToolRun() = default;

  /// Admits the call, runs the tool and replies, now or later. Called once.
  void start();
  /// Called when the client cancels the call or has gone: no answer is sent, whatever the tool
  /// returns.
  void withdraw();

 protected:
  /// Called when the deadline has passed. True: the run delivers an answer with what it has. False:
  /// the call fails with a timeout.
  [[nodiscard]] virtual bool answer_partially() { return false; }
  /// Called when the call is admitted. Has to deliver a reply, now or later.
  virtual void answer() = 0;
  /// Sends the reply to the client, if it is still there.
  virtual void send(mcp::Reply&& reply);

  [[nodiscard]] const OfferedTool& tool() const { return tool_; }
  [[nodiscard]] const AnswerServices& services() const { return services_; }
  [[nodiscard]] serve::Host& host() const { return *services_.host; }
  [[nodiscard]] const mcp::Call& call() const { return call_; }
  [[nodiscard]] const CallPlan& plan() const { return plan_; }
  /// nullptr: the client has gone.
  [[nodiscard]] std::shared_ptr<serve::ClientChannel> channel() const { return channel_.lock(); }
  [[nodiscard]] const std::shared_ptr<serve::Cancellation>& cancellation() const {
    return cancellation_;
  }
  /// Time since the call came.
  [[nodiscard]] answer::Duration elapsed() const { return host().clock() - began_; }
  /// For process_tool_response: the level, and the time that the call has taken so far.
  [[nodiscard]] answer::ToolRequest request() const { return {plan_.level.level, elapsed()}; }

  /// Sends the reply and logs the call; ignored if the call is answered already.
  void deliver(ToolReply&& reply);
  void refuse(model::Response failed);  ///< delivers a failure
  /// Runs `work` on a worker and delivers the ToolReply that it returns. `deadline`: for
  /// start_deadline; nullopt: starts none.
  template <class Work>
  void deliver_from_worker(Work work, std::optional<std::chrono::milliseconds> deadline = {});
  /// If there is no reply when this time has passed, calls answer_partially or fails the call.
  void start_deadline(std::chrono::milliseconds deadline);
  /// Delivers the failure of a call whose deadline has passed.
  void refuse_as_late(std::chrono::milliseconds deadline);
  /// Runs `work` on a worker, then `then(*this, result of work)` on the serving thread. False: too
  /// many jobs wait for a worker; the client has received a failure.
  template <class Work, class Then>
  bool on_worker(Work work, Then then);
  /// Delivers the failure "The server is busy".
  void refuse_for_load();
  [[nodiscard]] bool is_answered() const { return answered_; }

 private:
  /// Called after `admit`, which may have refused the call.
  void after_admission();
  /// The cursor, if the call continues a cut answer; nullopt: the tool has to run.
  [[nodiscard]] std::optional<std::string> continuation_cursor() const;
  void miss_deadline(std::chrono::milliseconds deadline);

  const OfferedTool& tool_;
  const AnswerServices& services_;
  std::size_t& running_;  ///< see the constructor
  mcp::Call call_;
  std::weak_ptr<serve::ClientChannel> channel_;
  CallPlan plan_;
  std::shared_ptr<serve::Cancellation> cancellation_;
  answer::Duration began_;                  ///< on Host::clock()
  std::unique_ptr<serve::Alarm> deadline_;  ///< nullptr: none is running
  bool answered_ = false;
};

template <class Work, class Then>
bool ToolRun::on_worker(Work work, Then then) {
  ++running_;
  const bool is_queued =
      serve::on_worker(host(), std::move(work),
                       [self = shared_from_this(),
                        then = std::move(then)]<class... Result>(Result... result) mutable {
                         --self->running_;
                         then(*self, std::move(result)...);
                       });
  if (is_queued) return true;
  --running_;
  refuse_for_load();
  return false;
}

template <class Work>
void ToolRun::deliver_from_worker(Work work, std::optional<std::chrono::milliseconds> deadline) {
  const bool is_queued = on_worker(
      std::move(work), [](ToolRun& self, ToolReply reply) { self.deliver(std::move(reply)); });
  if (is_queued && deadline) start_deadline(*deadline);
}

}  // namespace enfold::tools

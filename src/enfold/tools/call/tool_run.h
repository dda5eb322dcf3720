// SPDX-License-Identifier: Apache-2.0
// One call of a tool that runs in this process, from its arguments to its reply: planned, admitted,
// run here or on a worker with a deadline, answered once, logged. A rate limit that other processes
// share is taken on a worker. The first of handler and deadline replies; what comes later is
// dropped.
#pragma once

#include "enfold/serve/on_worker.h"
#include "enfold/tools/call/tool_reply.h"

#include <memory>

namespace enfold::tools {

class ToolRun : public std::enable_shared_from_this<ToolRun> {
 public:
  /// `running` counts the calls that wait for a worker or run on one. Tool, services and counter
  /// must outlive the run.
  ToolRun(const OfferedTool& tool, const AnswerServices& services, std::size_t& running,
          mcp::Call&& call, const std::shared_ptr<serve::Port>& port,
          std::shared_ptr<serve::Cancellation> cancellation);
  ToolRun(const ToolRun&) = delete;
  ToolRun& operator=(const ToolRun&) = delete;
  virtual ~ToolRun() = default;

  void start();

 protected:
  /// The call is admitted: on the serving thread.
  virtual void answer() = 0;

  [[nodiscard]] const OfferedTool& tool() const { return tool_; }
  [[nodiscard]] const AnswerServices& services() const { return services_; }
  [[nodiscard]] serve::Host& host() const { return *services_.host; }
  [[nodiscard]] const mcp::Call& call() const { return call_; }
  [[nodiscard]] const CallPlan& plan() const { return plan_; }
  [[nodiscard]] std::shared_ptr<serve::Port> port() const { return port_.lock(); }
  [[nodiscard]] const std::shared_ptr<serve::Cancellation>& cancellation() const {
    return cancellation_;
  }
  [[nodiscard]] answer::Duration elapsed() const { return host().clock() - began_; }

  void deliver(ToolReply&& reply);
  void refuse(model::Response failed);
  /// Delivers what `work` returns, a ToolReply; with a deadline the call fails when it has passed.
  template <class Work>
  void deliver_from_worker(Work work, std::optional<std::chrono::milliseconds> deadline = {});

 private:
  void admitted();
  /// False: no worker is free, and the caller was told so.
  template <class Work, class Then>
  bool on_worker(Work work, Then then);
  void start_deadline(std::chrono::milliseconds deadline);
  void miss_deadline(std::chrono::milliseconds deadline);
  void refuse_for_load();

  const OfferedTool& tool_;
  const AnswerServices& services_;
  std::size_t& running_;
  mcp::Call call_;
  std::weak_ptr<serve::Port> port_;
  CallPlan plan_;
  std::shared_ptr<serve::Cancellation> cancellation_;
  answer::Duration began_;
  std::unique_ptr<serve::Alarm> deadline_;
  bool answered_ = false;
};

template <class Work, class Then>
bool ToolRun::on_worker(Work work, Then then) {
  ++running_;
  const bool taken =
      serve::on_worker(host(), std::move(work),
                       [self = shared_from_this(),
                        then = std::move(then)]<class... Result>(Result... result) mutable {
                         --self->running_;
                         then(*self, std::move(result)...);
                       });
  if (taken) return true;
  --running_;
  refuse_for_load();
  return false;
}

template <class Work>
void ToolRun::deliver_from_worker(Work work, std::optional<std::chrono::milliseconds> deadline) {
  const bool taken = on_worker(
      std::move(work), [](ToolRun& self, ToolReply reply) { self.deliver(std::move(reply)); });
  if (taken && deadline) start_deadline(*deadline);
}

}  // namespace enfold::tools

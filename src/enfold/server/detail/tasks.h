// SPDX-License-Identifier: Apache-2.0
// The tasks of a server: tool calls that a client does not wait for. A task belongs to a principal,
// keeps the result of the call, and is cancelled and forgotten when its time to live is over.
// Everything here lives on the serving thread.
#pragma once

#include "enfold/mcp/types/task.h"
#include "enfold/server/tool.h"
#include "enfold/tools/call/tool_run.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace enfold::server {

/// One task. It outlives the runs of the handler: each question to the client ends one of them, and
/// the answers begin the next.
class ServerTask {
 public:
  using OnChange = std::function<void(const mcp::Task& task)>;
  /// `call` is repeated with the answers when the handler has asked for input. `on_change` is
  /// called for each new status; for a new message only if the poll interval of the task has passed
  /// since its last call.
  ServerTask(mcp::Task task, mcp::Call call, serve::Host& host, OnChange on_change);

  [[nodiscard]] const mcp::Task& facts() const { return task_; }
  /// The run that cancel() stops.
  void set_run(std::weak_ptr<tools::ToolRun> run) { run_ = std::move(run); }
  void set_message(std::string message);  ///< of the status; ignored if the task has ended
  /// Takes the reply of a run: the result, an error or questions. Ignored if the task has ended.
  void settle(mcp::Reply&& reply);
  /// Takes answers to open requests; ignores all others. Returns the call to repeat when no request
  /// is open any more.
  [[nodiscard]] std::optional<mcp::Call> take_answers(mcp::InputResponses&& inputs);
  void cancel();  ///< also withdraws the run; ignored if the task has ended

 private:
  void set_status(mcp::TaskStatus status);
  void report_change();                     ///< calls on_change
  void ask(mcp::InputRequired&& required);  ///< the client; fails the task if it cannot be asked

  mcp::Task task_;
  mcp::Call call_;
  serve::Host& host_;
  std::weak_ptr<tools::ToolRun> run_;  ///< empty: none is running
  /// The handler's key of each question, by the key that the client sees: a handler may use a key
  /// again in a later run, but a task has each key only once ("form", "form_2").
  std::unordered_map<std::string, std::string> keys_;
  mcp::InputResponses
      answers_;  ///< so far, to the requests of the last run, with the state of that run
  OnChange on_change_;
  std::chrono::microseconds last_report_{0};  ///< when on_change was called last, on Host::clock()
};

class Tasks {
 public:
  /// Runs the tool of a task again with the answers in `call`. `channel`: to the client that sent
  /// them.
  using Repeat = std::function<void(mcp::Call call, const std::shared_ptr<ServerTask>& task,
                                    const std::shared_ptr<serve::ClientChannel>& channel)>;
  /// `max_tasks`: of one principal at a time.
  Tasks(serve::Host& host, std::size_t max_tasks, Repeat repeat)
      : host_(host), max_tasks_(max_tasks), repeat_(std::move(repeat)) {}

  /// nullptr: the principal has too many tasks. One that has ended counts until its time to live is
  /// over.
  [[nodiscard]] std::shared_ptr<ServerTask> create(const std::string& principal,
                                                   const mcp::Call& call,
                                                   const TaskOptions& options);
  /// The failure of the call for which create() returned nullptr.
  [[nodiscard]] model::Response refusal(const std::string& principal) const;
  /// The reply to tasks/get, tasks/update and tasks/cancel.
  [[nodiscard]] mcp::Reply answer(const mcp::Call& call,
                                  const std::shared_ptr<serve::ClientChannel>& channel);
  /// Notifies the client at once of the status of the tasks that it named and its principal owns,
  /// then of each change, until the result is cancelled or destroyed. nullptr: it named no tasks.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> listen(serve::ClientChannel& channel,
                                                        const mcp::SubscriptionOpened& opened);
  /// Called before the process ends.
  void cancel_all();

 private:
  struct Kept {
    std::shared_ptr<ServerTask> task;
    std::unique_ptr<serve::Alarm> expiry;  ///< calls expire()
    std::chrono::microseconds expires{0};  ///< on Host::clock()
  };
  using List = std::vector<Kept>;
  class Listener;
  void notify_listeners(const std::string& principal, const mcp::Task& task) const;
  /// nullptr: the principal has no task with this id.
  [[nodiscard]] std::shared_ptr<ServerTask> find(const std::string& principal,
                                                 std::string_view id) const;
  void expire(const std::string& principal, const std::string& id);  ///< cancels and forgets it
  [[nodiscard]] std::string make_id();

  serve::Host& host_;
  std::size_t max_tasks_;
  Repeat repeat_;
  std::unordered_map<std::string, List> tasks_;  ///< by principal, the oldest first
  std::set<Listener*> listeners_;
};

}  // namespace enfold::server

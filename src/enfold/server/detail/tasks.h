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
  /// called for each new status, and for messages not more often than clients should ask.
  ServerTask(mcp::Task task, mcp::Call call, serve::Host& host, OnChange on_change);

  [[nodiscard]] const mcp::Task& facts() const { return task_; }
  /// The run that cancel() stops.
  void set_run(std::weak_ptr<tools::ToolRun> run) { run_ = std::move(run); }
  void set_message(std::string message);
  /// Takes the reply of a run. Ignored if the task has ended.
  void settle(mcp::Reply&& reply);
  /// Takes answers to open requests; ignores all others. Returns the call to repeat when no request
  /// is open any more.
  [[nodiscard]] std::optional<mcp::Call> take_answers(mcp::InputResponses&& inputs);
  void cancel();  ///< also withdraws the run; ignored if the task has ended

 private:
  void set_status(mcp::TaskStatus status);
  void tell();
  void ask(mcp::InputRequired&& required);

  mcp::Task task_;
  mcp::Call call_;
  serve::Host& host_;
  std::weak_ptr<tools::ToolRun> run_;
  /// The handler's key of each question, by the key that the client sees: a handler may use a key
  /// again in a later run, but a task has each key only once ("form", "form_2").
  std::unordered_map<std::string, std::string> keys_;
  mcp::InputResponses answers_;  ///< to the requests of the last run, with its state
  OnChange on_change_;
  std::chrono::microseconds told_{0};  ///< when on_change was called last
};

class Tasks {
 public:
  /// Runs the tool of a task again, for the client behind the channel.
  using Repeat = std::function<void(mcp::Call call, const std::shared_ptr<ServerTask>& task,
                                    const std::shared_ptr<serve::ClientChannel>& channel)>;
  /// `most`: tasks of one principal at a time.
  Tasks(serve::Host& host, std::size_t most, Repeat repeat)
      : host_(host), most_(most), repeat_(std::move(repeat)) {}

  /// nullptr: the principal has too many tasks. One that has ended counts until its time to live is
  /// over.
  [[nodiscard]] std::shared_ptr<ServerTask> create(const std::string& principal,
                                                   const mcp::Call& call,
                                                   const TaskOptions& options);
  /// The failure of a call of a principal that has too many tasks.
  [[nodiscard]] model::Response refusal(const std::string& principal) const;
  /// The reply to tasks/get, tasks/update and tasks/cancel.
  [[nodiscard]] mcp::Reply answer(const mcp::Call& call,
                                  const std::shared_ptr<serve::ClientChannel>& channel);
  /// Notifies a client of changes of its principal's tasks, and at once of their present status. It
  /// ends when the returned call is cancelled.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> listen(serve::ClientChannel& channel,
                                                        const mcp::SubscriptionOpened& opened);
  /// For the end of the process.
  void cancel_all();

 private:
  struct Kept {
    std::shared_ptr<ServerTask> task;
    std::unique_ptr<serve::Alarm> expiry;
    std::chrono::microseconds expires{0};
  };
  using List = std::vector<Kept>;
  class Listener;
  void tell(const std::string& principal, const mcp::Task& task) const;
  [[nodiscard]] std::shared_ptr<ServerTask> find(const std::string& principal,
                                                 std::string_view id) const;
  void expire(const std::string& principal, const std::string& id);
  [[nodiscard]] std::string make_id();

  serve::Host& host_;
  std::size_t most_;
  Repeat repeat_;
  std::unordered_map<std::string, List> tasks_;  ///< by principal, the oldest first
  std::set<Listener*> listeners_;
};

}  // namespace enfold::server

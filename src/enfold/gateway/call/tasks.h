// SPDX-License-Identifier: Apache-2.0
// Tasks: tool calls that a server answers later. The client receives the id of the task. Enfold
// puts the result of tasks/result or tasks/get into the contract and cuts it ("shapes" it) like any
// answer of the tool. With several upstreams the id that clients see is UPSTREAM__ID.
#pragma once

#include "enfold/gateway/call/answer_writer.h"
#include "enfold/gateway/call/services.h"

namespace enfold::gateway {

struct Task {
  std::string id;                                ///< at the upstream
  std::shared_ptr<const PlannedAnswer> planned;  ///< how its result is written; never null
  std::weak_ptr<UpstreamConnection> connection;  ///< on which it was started
  net::TimePoint needed_until;  ///< the upstream's process must not end before this time
};

class Tasks {
 public:
  explicit Tasks(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  /// Whether the result starts a task with an id of more than 1 KiB, which would have to be kept,
  /// or has more than 64 KiB and is no question: tasks are forwarded on the loop.
  [[nodiscard]] static bool is_too_long(json::View result);
  /// If the result is a task instead of an answer, remembers the task and how its answer is
  /// written, and returns the result with the id that clients see. Returns any other result
  /// unchanged.
  [[nodiscard]] json::Value remember_task(const ClientCall& call, json::Value result,
                                          const std::shared_ptr<PlannedAnswer>& planned,
                                          net::TimePoint now);
  /// Whether the process of this connection must not end, because a task runs there or its result
  /// was not fetched yet.
  [[nodiscard]] bool needs(const UpstreamConnection& connection, net::TimePoint now) const;
  /// The result of the task was fetched, or there will be none: its process may end.
  void on_fetched(const std::string& principal, std::string_view id, const Upstream& upstream);
  /// How the answer of a principal's task is written; nullptr: unknown task. Each call returns a
  /// copy, because writing an answer changes it.
  [[nodiscard]] std::shared_ptr<PlannedAnswer> find(const std::string& principal,
                                                    std::string_view id,
                                                    const Upstream& upstream) const;
  /// The tasks that this principal started and Enfold remembers.
  [[nodiscard]] const std::vector<Task>& tasks_of(const std::string& principal) const;
  /// Forgets the tasks of an upstream that was removed, of all principals.
  void forget(const Upstream& upstream);

  /// Rewrites a result about tasks for the client: with the ids that clients see. If `only` is
  /// given, a list of tasks contains only those.
  [[nodiscard]] json::Value show(const Upstream& upstream, json::Value message,
                                 const std::vector<Task>* only = nullptr) const;
  /// The params of a notification about a task, as the client sees them. `has_contract`: the
  /// answers of this client are shaped. Then a result inside the notification is removed, because
  /// only tasks/get and tasks/result return shaped answers.
  [[nodiscard]] json::Value show_notification(const Upstream& upstream, json::Value params,
                                              const redact::Policy* policy,
                                              bool has_contract) const;

 private:
  const UpstreamSet& upstreams_;
  std::unordered_map<std::string, std::vector<Task>> tasks_;  ///< by principal
};

/// A call of tasks/get, tasks/result, tasks/list or any other method tasks/….
class TaskCall final : public ClientCall {
 public:
  /// Replies with an error and returns nullptr if the client may not see the task.
  static std::shared_ptr<serve::OpenCall> begin(
      const CallServices& services, const mcp::Call& call,
      const std::shared_ptr<serve::ClientChannel>& channel);
  TaskCall(const CallServices& services, const mcp::Call& call,
           const std::shared_ptr<serve::ClientChannel>& channel,
           std::shared_ptr<PlannedAnswer> planned)
      : ClientCall(call, channel, services.open_calls),
        services_(services),
        planned_(std::move(planned)) {}

 private:
  /// How the result is written; nullptr: the client may not see the task.
  [[nodiscard]] static std::shared_ptr<PlannedAnswer> plan_for(const CallServices& services,
                                                               const mcp::Call& call,
                                                               serve::ClientChannel& channel,
                                                               const Route& route);
  void on_result(client::CallResult result) override;
  /// Replies with `message`, what the upstream said about the task. `answer`: of the tool, which is
  /// shaped and inserted; null: there is none yet.
  void finish(const json::Value& message, const json::Value& answer);
  /// Calls Tasks::on_fetched for the task of this call.
  void note_fetched();

  const CallServices& services_;
  std::shared_ptr<PlannedAnswer> planned_;  ///< how the result is written; never null
};

}  // namespace enfold::gateway

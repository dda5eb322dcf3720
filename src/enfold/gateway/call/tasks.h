// SPDX-License-Identifier: Apache-2.0
// Tasks: tool calls that a server answers later. The client receives the task's handle, and Enfold
// shapes the result of tasks/result or tasks/get like any answer of the tool. With several
// upstreams the id that clients see is UPSTREAM__ID.
#pragma once

#include "enfold/gateway/call/answer_writer.h"
#include "enfold/gateway/call/services.h"

namespace enfold::gateway {

struct Task {
  std::string id;  ///< the upstream's own id
  std::shared_ptr<const PlannedAnswer> answer;
};

class Tasks {
 public:
  explicit Tasks(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  /// Remembers the task in a result that is not yet an answer, and returns the result with the id
  /// that clients see.
  [[nodiscard]] json::Value note(const ClientCall& call, json::Value result,
                                 const std::shared_ptr<PlannedAnswer>& answer);
  /// How the answer of a principal's task is written, to be used once; nullptr: unknown task.
  [[nodiscard]] std::shared_ptr<PlannedAnswer> find(const std::string& principal,
                                                    std::string_view id,
                                                    const Upstream& upstream) const;
  [[nodiscard]] const std::vector<Task>& of(const std::string& principal) const;
  void forget(const Upstream& upstream);

  struct Shown {
    const redact::Policy* policy = nullptr;   ///< nullptr: status messages are not redacted
    const std::vector<Task>* only = nullptr;  ///< the tasks that a list may show; nullptr: all
  };
  /// A message about tasks with the ids that the client sees.
  [[nodiscard]] json::Value show(const Upstream& upstream, json::Value message,
                                 const Shown& shown) const;
  [[nodiscard]] json::Value show_notification(const Upstream& upstream, const json::Value& params,
                                              const redact::Policy* policy, bool is_shaped) const;

 private:
  const UpstreamSet& upstreams_;
  std::unordered_map<std::string, std::vector<Task>> tasks_;  ///< by principal
};

/// A call of tasks/get, tasks/result, tasks/list or tasks/cancel.
class TaskCall final : public ClientCall {
 public:
  static std::shared_ptr<serve::OpenCall> begin(
      const CallServices& services, const mcp::Call& call,
      const std::shared_ptr<serve::ClientChannel>& channel);
  TaskCall(const CallServices& services, const mcp::Call& call,
           const std::shared_ptr<serve::ClientChannel>& channel,
           std::shared_ptr<PlannedAnswer> answer)
      : ClientCall(call, channel, services.open_calls),
        services_(services),
        answer_(std::move(answer)) {}

 private:
  [[nodiscard]] static std::shared_ptr<PlannedAnswer> plan(const CallServices& services,
                                                           const mcp::Call& call,
                                                           serve::ClientChannel& channel,
                                                           const Route& task);
  void on_result(client::CallResult result) override;

  const CallServices& services_;
  std::shared_ptr<PlannedAnswer> answer_;
};

}  // namespace enfold::gateway

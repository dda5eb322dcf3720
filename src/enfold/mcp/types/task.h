// SPDX-License-Identifier: Apache-2.0
// A task of the extension io.modelcontextprotocol/tasks: what a client gets instead of the result
// of a tool call, and asks for with tasks/get.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/mcp/types/result.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

/// As on the wire.
enum class TaskStatus { working, input_required, completed, failed, cancelled };
[[nodiscard]] std::string_view name(TaskStatus status);
[[nodiscard]] constexpr bool is_final(TaskStatus status) {
  return status != TaskStatus::working && status != TaskStatus::input_required;
}

struct Task {
  std::string id;
  TaskStatus status = TaskStatus::working;
  std::string message;                         ///< about the status, for people; empty: none
  std::string created_at;                      ///< RFC 3339
  std::string updated_at;                      ///< RFC 3339
  std::chrono::milliseconds ttl{0};            ///< from its creation on
  std::chrono::milliseconds poll_interval{0};  ///< after which the client should ask again

  std::vector<InputRequest> requests;  ///< if input is required: the requests not answered yet
  json::Value result;                  ///< of a completed task
  std::optional<RpcError> error;       ///< of a failed task
};

/// Whether the request of this call declared the tasks extension.
[[nodiscard]] inline bool accepts_tasks(const Call& call) {
  return call.caller && call.caller->era == Era::stateless &&
         call.caller->capabilities.has("extensions", kTasksExtension);
}

/// The result of the tools/call that became a task.
[[nodiscard]] CompleteResult task_handle(const Task& task);
/// The result of tasks/get.
[[nodiscard]] CompleteResult task_details(const Task& task);
/// The params of notifications/tasks.
[[nodiscard]] json::Value task_notification(const Task& task);

}  // namespace enfold::mcp

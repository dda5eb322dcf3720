// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/task.h"

namespace enfold::mcp {
namespace {

// The members that every message about a task has.
void write_members(json::Writer& writer, const Task& task) {
  writer.member("taskId", task.id).member("status", name(task.status));
  if (!task.message.empty()) writer.member("statusMessage", task.message);
  writer.member("createdAt", task.created_at).member("lastUpdatedAt", task.updated_at);
  writer.member("ttlMs", std::int64_t{task.ttl.count()});
  writer.member("pollIntervalMs", std::int64_t{task.poll_interval.count()});
}

// The members above, and those that belong to the status.
void write_details(json::Writer& writer, const Task& task) {
  write_members(writer, task);
  if (task.status == TaskStatus::input_required) write_input_requests(writer, task.requests);
  if (task.status == TaskStatus::completed) writer.member("result", task.result);
  if (task.status == TaskStatus::failed && task.error) {
    writer.key("error");
    write_error(writer, *task.error);
  }
}

}  // namespace

std::string_view name(TaskStatus status) {
  switch (status) {
    case TaskStatus::working: return "working";
    case TaskStatus::input_required: return "input_required";
    case TaskStatus::completed: return "completed";
    case TaskStatus::failed: return "failed";
    case TaskStatus::cancelled: return "cancelled";
  }
  return "failed";
}

CompleteResult task_handle(const Task& task) {
  return complete(make_object([&](json::Writer& writer) {
    writer.member("resultType", "task");
    write_members(writer, task);
  }));
}

CompleteResult task_details(const Task& task) {
  return complete(make_object([&](json::Writer& writer) { write_details(writer, task); }));
}

json::Value task_notification(const Task& task) {
  json::Writer writer;
  writer.begin_object();
  write_details(writer, task);
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::mcp

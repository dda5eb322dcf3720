// SPDX-License-Identifier: Apache-2.0
// Calls that a server with sessions answers later: the handle passes as it is, and what
// `tasks/result` brings is then the answer of the tool, like any other.
#include "enfold/gateway/gateway.h"

namespace enfold::gateway {
namespace {

constexpr std::size_t kMostTasks = 1000;  // of one client; who has more gets the oldest bare

}  // namespace

void Gateway::note_task(Relay& relay, server::Port& port, json::View result,
                        const std::shared_ptr<ToolAnswering>& about) {
  const auto handle = mcp::object_member(result, "task");
  const auto id = handle ? mcp::text_member(*handle, "taskId") : std::nullopt;
  if (!id) return;
  Upstream& upstream = upstream_of(*relay.link());  // not always the one that was asked first
  if (!is_here(&upstream)) return;
  std::vector<Task>& tasks = visitor_of(port).tasks;
  if (tasks.size() == kMostTasks) tasks.erase(tasks.begin());
  tasks.push_back({*id, &upstream, about});
}

const Task* Gateway::task_of(const mcp::Call& call, server::Port& port) {
  if (!call.method_name.starts_with("tasks/")) return nullptr;
  const auto id = mcp::text_member(call.raw_params.view(), "taskId");
  const std::vector<Task>& tasks = visitor_of(port).tasks;
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const Task& one) { return one.id == id; });
  return found != tasks.end() ? &*found : nullptr;
}

}  // namespace enfold::gateway

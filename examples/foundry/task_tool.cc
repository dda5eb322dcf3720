// SPDX-License-Identifier: Apache-2.0
// The actions of `task` that read, and the choice between all of them.
#include "task_changes.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>

namespace foundry {
namespace {

using enfold::model::name;

Answer<TaskAnswer> query(const Spec& spec, const TaskCall& asked, Context& context) {
  std::vector<Task> matching;
  std::copy_if(spec.tasks.begin(), spec.tasks.end(), std::back_inserter(matching),
               [&](const Task& one) {
                 return one.status == asked.status.value_or(one.status) &&
                        one.owner == asked.owner.value_or(one.owner) &&
                        one.phase_id == asked.phase_id.value_or(one.phase_id);
               });
  return page_of(matching, asked, context, &TaskList::tasks, &TaskList::total_count,
                 TaskList{.task_count = spec.task_count()});
}

Answer<TaskAnswer> show(const Task& task, Context& context) {
  if (task.is_blocked()) context.warn("TASK_BLOCKED", "Task is blocked and cannot proceed");
  return TaskShown{task};
}

// The phase of a task as a position; tasks without one come last.
std::ptrdiff_t phase_position(const Spec& spec, const Task& task) {
  return std::ranges::find(spec.phases, task.phase_id, &Phase::id) - spec.phases.begin();
}

Answer<TaskAnswer> next(const Spec& spec, Context& context) {
  const Task* best = nullptr;
  for (const Task& task : spec.tasks) {
    const bool is_earlier =
        best == nullptr || phase_position(spec, task) < phase_position(spec, *best);
    if (spec.is_ready(task) && is_earlier) best = &task;
  }
  if (best != nullptr) return TaskShown{*best};
  const bool is_done = spec.completed_count() == spec.task_count();
  context.warn("NO_TASK_READY",
               is_done ? "All tasks are completed"
                       : "Every open task is in progress, blocked or waits for another");
  return TaskShown{};
}

Answer<TaskAnswer> progress(const Spec& spec) {
  Progress out;
  for (const std::string_view one : enfold::model::Names<TaskStatus>::values) {
    out.counts.emplace(one, 0);
  }
  for (const Phase& phase : spec.phases) out.phases.push_back({.phase_id = phase.id});
  for (const Task& task : spec.tasks) {
    ++out.counts[std::string(name(task.status))];
    if (task.is_blocked()) out.blocked.push_back(task);
    const auto position = static_cast<std::size_t>(phase_position(spec, task));
    if (position == out.phases.size()) continue;
    ++out.phases[position].task_count;
    out.phases[position].completed_count += task.is_completed() ? 1 : 0;
  }
  out.percent = spec.tasks.empty() ? 0 : 100 * spec.completed_count() / spec.task_count();
  return out;
}

bool only_reads(TaskAction action) {
  return action == TaskAction::query || action == TaskAction::get || action == TaskAction::next ||
         action == TaskAction::progress;
}

bool names_a_task(TaskAction action) {
  return action != TaskAction::query && action != TaskAction::next &&
         action != TaskAction::complete_batch && action != TaskAction::progress;
}

}  // namespace

Answer<TaskAnswer> task(const Desk& desk, const TaskCall& asked, Context& context) {
  const bool needs_id = names_a_task(asked.action);
  if (needs_id && !asked.task_id) return missing("task_id", name(asked.action));
  const auto kind = only_reads(asked.action) ? FileLock::Kind::shared : FileLock::Kind::exclusive;
  return with_spec<TaskAnswer>(
      desk, context, asked.spec_id, kind, [&](const Spec& spec) -> Answer<TaskAnswer> {
        const bool must_exist = needs_id && asked.action != TaskAction::add;
        if (must_exist && spec.find(*asked.task_id) == nullptr) {
          return task_not_found(spec, *asked.task_id);
        }
        switch (asked.action) {
          case TaskAction::query: return query(spec, asked, context);
          case TaskAction::get: return show(*spec.find(*asked.task_id), context);
          case TaskAction::next: return next(spec, context);
          case TaskAction::progress: return progress(spec);
          default: return change_tasks(desk, spec, asked, context);
        }
      });
}

}  // namespace foundry

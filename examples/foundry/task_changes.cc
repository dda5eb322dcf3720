// SPDX-License-Identifier: Apache-2.0
#include "task_changes.h"

#include "enfold/contract/legacy/domain_failures.h"
#include "enfold/level/render.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace foundry {
namespace {

namespace failures = enfold::contract::failures;
using enfold::contract::make_failure;
using enfold::model::name;

/// Why something cannot be done to a task; nothing: it can.
using Refusal = std::optional<enfold::model::Response>;

Refusal owner_refusal(const Task& task, const std::string& principal) {
  if (!task.has_owner() || principal == task.owner) return std::nullopt;
  return make_failure(failures::Forbidden{
      .message = fmt::format("{} belongs to {}", task.id, task.owner),
      .required_permission = "owner of the task",
      .extra = {.remediation = {fmt::format("Ask {}. You are {}.", task.owner, principal)}}});
}

Refusal dependency_refusal(const Spec& spec, const Task& task) {
  const std::vector<std::string> waits_for = spec.unmet(task);
  if (waits_for.empty()) return std::nullopt;
  return make_failure(failures::Conflict{
      .message = fmt::format("{} depends on {}", task.id, fmt::join(waits_for, ", ")),
      .code = "DEPENDENCY_ERROR",
      .extra = {.remediation = {"Complete dependent tasks first."}}});
}

// From where to where a task can go. Only `reopen` leaves completed.
Refusal status_refusal(const Spec& spec, const Task& task, TaskStatus to,
                       const std::string& principal) {
  if (auto refused = owner_refusal(task, principal)) return refused;
  const bool reopens = to == TaskStatus::pending;
  if (task.status == to || (task.is_completed() && !reopens)) {
    return wrong_state(
        fmt::format("{} is {} and cannot become {}", task.id, name(task.status), name(to)),
        task.is_completed() ? "Open it again with reopen before you change it."
                            : "Ask for its state with get before you change it.");
  }
  const bool needs_dependencies = to == TaskStatus::in_progress || to == TaskStatus::completed;
  return needs_dependencies ? dependency_refusal(spec, task) : std::nullopt;
}

/// Whether `from` depends on `to`, directly or by way of others.
bool leads_to(const Spec& spec, const std::string& from, const std::string& to) {
  std::vector<std::string> reached{from};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const Task* task = spec.find(reached[i]);
    if (task == nullptr) continue;
    for (const std::string& id : task->depends_on) {
      if (id == to) return true;
      if (std::ranges::find(reached, id) == reached.end()) reached.push_back(id);
    }
  }
  return false;
}

// What `task`, as it shall be, refers to must be there, and must not lead back to it.
Refusal reference_refusal(const Spec& spec, const Task& task) {
  if (task.has_phase() && !spec.has_phase(task.phase_id)) {
    return make_failure(failures::NotFound{
        .resource_type = "Phase",
        .resource_id = task.phase_id,
        .code = "PHASE_NOT_FOUND",
        .extra = {.remediation = {"Add it first with spec(action=\"add-phase\")."}}});
  }
  for (const std::string& id : task.depends_on) {
    if (id == task.id) return make_failure(failures::SelfReference{.item_id = id});
    if (spec.find(id) == nullptr) {
      return make_failure(failures::DependencyNotFound{.item_id = task.id, .dependency_id = id});
    }
  }
  for (const std::string& id : task.depends_on) {
    if (!leads_to(spec, id, task.id)) continue;
    return make_failure(failures::CircularDependency{
        .item_id = task.id, .target_id = id, .cycle_path = {task.id, id, task.id}});
  }
  return std::nullopt;
}

void apply(const TaskCall& asked, Task& task) {
  if (asked.title) task.title = *asked.title;
  if (asked.notes) task.notes = *asked.notes;
  if (asked.owner) task.owner = *asked.owner;
  if (asked.phase_id) task.phase_id = *asked.phase_id;
  if (asked.depends_on) task.depends_on = *asked.depends_on;
}

/// The ids of the tasks that are ready in `now` and were not in `before`.
std::vector<std::string> newly_ready(const Spec& before, const Spec& now) {
  std::vector<std::string> ids;
  for (const Task& task : now.tasks) {
    const Task* old = before.find(task.id);
    if (old != nullptr && now.is_ready(task) && !before.is_ready(*old)) ids.push_back(task.id);
  }
  return ids;
}

Answer<TaskAnswer> save(const Desk& desk, const Spec& before, Spec now, const std::string& id) {
  if (Status done = desk.folder->save(now); !done) return tl::unexpected(done.error());
  const Task& task = *now.find(id);
  const Task* old = before.find(id);
  TaskChanged changed{.task = task,
                      .before = old != nullptr ? old->status : task.status,
                      .ready = newly_ready(before, now),
                      .waiting = newly_ready(now, before)};
  std::erase(changed.ready, id);  // the answer says so already
  std::erase(changed.waiting, id);
  return changed;
}

Answer<TaskAnswer> add(const Desk& desk, const Spec& spec, const TaskCall& asked,
                       Context& context) {
  if (!asked.title) return missing("title", "add");
  if (spec.find(*asked.task_id) != nullptr) {
    return duplicate(fmt::format("There is a task {} already", *asked.task_id));
  }
  Task task{.id = *asked.task_id};
  apply(asked, task);
  if (const Refusal refused = reference_refusal(spec, task)) return *refused;
  Spec now = spec;
  now.tasks.push_back(std::move(task));
  now.record(context.principal(), "task_added", *asked.task_id);
  return save(desk, spec, std::move(now), *asked.task_id);
}

Answer<TaskAnswer> edit(const Desk& desk, const Spec& spec, const TaskCall& asked,
                        Context& context) {
  if (!asked.title && !asked.notes && !asked.owner && !asked.phase_id && !asked.depends_on) {
    return nothing_to_change("title, notes, owner, phase_id or depends_on");
  }
  Spec now = spec;
  Task& task = *now.find(*asked.task_id);
  if (const Refusal refused = owner_refusal(task, context.principal())) return *refused;
  apply(asked, task);
  if (const Refusal refused = reference_refusal(spec, task)) return *refused;
  now.record(context.principal(), "task_edited", *asked.task_id, asked.reason);
  return save(desk, spec, std::move(now), *asked.task_id);
}

struct Step {
  TaskStatus to;
  const char* event;
};

Step step_of(TaskAction action) {
  switch (action) {
    case TaskAction::start: return {TaskStatus::in_progress, "task_started"};
    case TaskAction::block: return {TaskStatus::blocked, "task_blocked"};
    case TaskAction::reopen: return {TaskStatus::pending, "task_reopened"};
    default: return {TaskStatus::completed, "task_completed"};
  }
}

Answer<TaskAnswer> set_status(const Desk& desk, const Spec& spec, const TaskCall& asked,
                              Context& context) {
  const Step step = step_of(asked.action);
  if (step.to == TaskStatus::blocked && asked.reason.empty()) return missing("reason", "block");
  Spec now = spec;
  Task& task = *now.find(*asked.task_id);
  if (const Refusal refused = status_refusal(spec, task, step.to, context.principal())) {
    return *refused;
  }
  task.status = step.to;
  task.blocker = task.is_blocked() ? asked.reason : "";
  if (task.is_blocked()) context.warn("TASK_BLOCKED", "Task is blocked and cannot proceed");
  now.record(context.principal(), step.event, *asked.task_id, asked.reason);
  return save(desk, spec, std::move(now), *asked.task_id);
}

/// Each id once; a task comes after those of the list that it depends on.
std::vector<std::string> batch_order(const Spec& spec, const std::vector<std::string>& ids) {
  std::vector<std::string> ordered = spec.order();
  std::erase_if(ordered, [&](const auto& id) { return std::ranges::find(ids, id) == ids.end(); });
  for (const std::string& id : ids) {
    if (std::ranges::find(ordered, id) == ordered.end()) ordered.push_back(id);
  }
  return ordered;
}

// One code if the tasks failed for one reason.
enfold::model::Response batch_failure(const Batch& batch) {
  const std::string& first = batch.failures.front().error_code;
  const bool is_common =
      std::ranges::all_of(batch.failures, [&](const auto& one) { return one.error_code == first; });
  return make_failure(failures::Other{
      .message = fmt::format("None of {} tasks was completed: {}", batch.failures.size(),
                             batch.failures.front().error),
      .code = is_common ? first : "INVALID_STATE",
      .payload = level::render(batch, Level::minimal),
      .extra = {.remediation = {"failures says for each task why; correct that and try again."}}});
}

// What can be done is done; the answer says of each of the others why not.
Answer<TaskAnswer> complete_batch(const Desk& desk, Spec spec, const TaskCall& asked,
                                  Context& context) {
  if (asked.task_ids.empty()) return missing("task_ids", "complete-batch");
  const std::vector<std::string> ids = batch_order(spec, asked.task_ids);
  Batch batch;
  for (const std::string& id : ids) {
    Task* task = spec.find(id);
    const Refusal refused =
        task == nullptr ? task_not_found(spec, id)
                        : status_refusal(spec, *task, TaskStatus::completed, context.principal());
    if (refused) {
      batch.failures.push_back({id, refused->failure->message, refused->failure->code});
      continue;
    }
    task->status = TaskStatus::completed;
    task->blocker.clear();
    spec.record(context.principal(), "task_completed", id, asked.reason);
    ++batch.processed;
    context.progress(static_cast<double>(batch.processed), static_cast<double>(ids.size()));
  }
  if (batch.processed == 0) return batch_failure(batch);
  if (!batch.failures.empty()) {
    context.mark_partial();
    context.warn("PARTIAL_FAILURE", fmt::format("{} {} failed to process", batch.failed(),
                                                batch.failed() == 1 ? "task" : "tasks"));
  }
  if (Status done = desk.folder->save(spec); !done) return tl::unexpected(done.error());
  return batch;
}

}  // namespace

Answer<TaskAnswer> change_tasks(const Desk& desk, Spec spec, const TaskCall& asked,
                                Context& context) {
  if (const Refusal refused = change_refusal(spec)) return *refused;
  switch (asked.action) {
    case TaskAction::add: return add(desk, spec, asked, context);
    case TaskAction::edit: return edit(desk, spec, asked, context);
    case TaskAction::complete_batch: return complete_batch(desk, spec, asked, context);
    default: return set_status(desk, spec, asked, context);
  }
}

}  // namespace foundry

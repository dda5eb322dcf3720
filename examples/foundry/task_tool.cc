// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/legacy/domain_failures.h"
#include "tools.h"

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

enfold::model::Response task_not_found(const Spec& spec, const std::string& id) {
  return make_failure(failures::NotFound{
      .resource_type = "Task",
      .resource_id = id,
      .code = "TASK_NOT_FOUND",
      .extra = {.remediation = {fmt::format(
                    "Find its id with task(action=\"query\", spec_id=\"{}\").", spec.id)}}});
}

Refusal owner_refusal(const Task& task, const TaskCall& asked) {
  if (task.owner.empty() || asked.as == task.owner) return std::nullopt;
  return make_failure(failures::Forbidden{
      .message = fmt::format("{} belongs to {}", task.id, task.owner),
      .required_permission = "owner of the task",
      .extra = {.remediation = {fmt::format("Ask {}, or act as them.", task.owner)}}});
}

Refusal dependency_refusal(const Spec& spec, const Task& task) {
  const std::vector<std::string> waits_for = unmet(spec, task);
  if (waits_for.empty()) return std::nullopt;
  return make_failure(failures::Conflict{
      .message = fmt::format("{} depends on {}", task.id, fmt::join(waits_for, ", ")),
      .code = "DEPENDENCY_ERROR",
      .extra = {.remediation = {"Complete dependent tasks first."}}});
}

// From where to where a task can go.
Refusal change_refusal(const Spec& spec, const Task& task, TaskStatus to, const TaskCall& asked) {
  if (auto refused = owner_refusal(task, asked)) return refused;
  if (task.status == to || task.status == TaskStatus::completed) {
    return make_failure(failures::Conflict{
        .message =
            fmt::format("{} is {} and cannot become {}", task.id, name(task.status), name(to)),
        .code = "INVALID_STATE",
        .extra = {.remediation = {"Ask for its state with get before you change it."}}});
  }
  return to == TaskStatus::blocked ? std::nullopt : dependency_refusal(spec, task);
}

bool is_ready(const Spec& spec, const Task& task) {
  return task.status == TaskStatus::pending && unmet(spec, task).empty();
}

Answer<TaskAnswer> query(const Spec& spec, const TaskCall& asked, Context& context) {
  const std::string what =
      fmt::format("{}\n{}\n{}", spec.id, asked.owner, asked.status ? name(*asked.status) : "all");
  const auto offset = context.signed_offset(asked, what);
  if (!offset) return offset.error();
  std::vector<Task> matching;
  std::copy_if(spec.tasks.begin(), spec.tasks.end(), std::back_inserter(matching),
               [&](const Task& one) {
                 return (!asked.status || one.status == *asked.status) &&
                        (asked.owner.empty() || one.owner == asked.owner);
               });
  const std::size_t begin = std::min(*offset, matching.size());
  const std::size_t end = std::min(begin + asked.size(), matching.size());
  context.set_signed_page(asked, begin, end - begin, matching.size(), what);
  const auto count = static_cast<std::int64_t>(matching.size());
  return TaskList{{matching.begin() + static_cast<std::ptrdiff_t>(begin),
                   matching.begin() + static_cast<std::ptrdiff_t>(end)},
                  spec.task_count(),
                  count};
}

Answer<TaskAnswer> show(const Task& task, Context& context) {
  if (task.is_blocked()) context.warn("TASK_BLOCKED", "Task is blocked and cannot proceed");
  return TaskShown{task};
}

Answer<TaskAnswer> next(const Spec& spec, Context& context) {
  const auto ready = std::find_if(spec.tasks.begin(), spec.tasks.end(),
                                  [&](const Task& one) { return is_ready(spec, one); });
  if (ready != spec.tasks.end()) return TaskShown{*ready};
  const bool done = spec.completed_count() == spec.task_count();
  context.warn("NO_TASK_READY", done ? "All tasks are completed"
                                     : "Every open task is in work, blocked or waits for another");
  return TaskShown{};
}

Answer<TaskAnswer> add(const Desk& desk, Spec spec, const TaskCall& asked) {
  if (!asked.title) return missing("title", "add");
  if (spec.find(*asked.task_id) != nullptr) {
    return make_failure(
        failures::Conflict{.message = fmt::format("There is a task {} already", *asked.task_id),
                           .code = "DUPLICATE_ENTRY"});
  }
  for (const std::string& id : asked.depends_on) {
    if (id == *asked.task_id) return make_failure(failures::SelfReference{.item_id = id});
    if (spec.find(id) == nullptr) {
      return make_failure(
          failures::DependencyNotFound{.item_id = *asked.task_id, .dependency_id = id});
    }
  }
  spec.tasks.push_back({.id = *asked.task_id,
                        .title = *asked.title,
                        .owner = asked.owner,
                        .depends_on = asked.depends_on,
                        .notes = asked.notes});
  if (Status done = desk.folder->save_tasks(spec); !done) return tl::unexpected(done.error());
  return TaskChanged{.task = spec.tasks.back(), .before = TaskStatus::pending};
}

TaskStatus goal_of(TaskAction action) {
  return action == TaskAction::start   ? TaskStatus::in_progress
         : action == TaskAction::block ? TaskStatus::blocked
                                       : TaskStatus::completed;
}

Answer<TaskAnswer> change(const Desk& desk, Spec spec, const TaskCall& asked, Context& context) {
  Task& task = *spec.find(*asked.task_id);
  const TaskStatus to = goal_of(asked.action);
  if (to == TaskStatus::blocked && !asked.reason) return missing("reason", "block");
  if (const Refusal refused = change_refusal(spec, task, to, asked)) return *refused;
  TaskChanged changed{.before = task.status};
  const auto was_ready = [before = spec](const Task& one) { return is_ready(before, one); };
  task.status = to;
  task.blocker = asked.reason.value_or("");
  for (const Task& one : spec.tasks) {
    if (is_ready(spec, one) && !was_ready(one)) changed.unblocked.push_back(one.id);
  }
  changed.task = task;
  if (task.is_blocked()) context.warn("TASK_BLOCKED", "Task is blocked and cannot proceed");
  if (Status done = desk.folder->save_tasks(spec); !done) return tl::unexpected(done.error());
  return changed;
}

// What can be done is done; the answer says of each of the others why not.
Answer<TaskAnswer> complete_batch(const Desk& desk, Spec spec, const TaskCall& asked,
                                  Context& context) {
  if (asked.task_ids.empty()) return missing("task_ids", "complete-batch");
  Batch batch;
  for (const std::string& id : asked.task_ids) {
    Task* task = spec.find(id);
    const Refusal refused = task == nullptr
                                ? task_not_found(spec, id)
                                : change_refusal(spec, *task, TaskStatus::completed, asked);
    if (refused) {
      batch.failures.push_back({id, refused->failure->message, refused->failure->code});
      continue;
    }
    task->status = TaskStatus::completed;
    ++batch.processed;
    context.progress(static_cast<double>(batch.processed),
                     static_cast<double>(asked.task_ids.size()));
  }
  batch.failed = static_cast<std::int64_t>(batch.failures.size());
  if (batch.failed > 0) {
    context.mark_partial();
    context.warn("PARTIAL_FAILURE", fmt::format("{} tasks failed to process", batch.failed));
  }
  if (Status done = desk.folder->save_tasks(spec); !done) return tl::unexpected(done.error());
  return batch;
}

Answer<TaskAnswer> progress(const Spec& spec) {
  Progress out;
  for (const std::string_view one : enfold::model::Names<TaskStatus>::values) {
    out.counts.emplace(one, 0);
  }
  for (const Task& one : spec.tasks) {
    ++out.counts[std::string(name(one.status))];
    if (one.is_blocked()) out.blocked.push_back(one);
  }
  out.percent = spec.tasks.empty() ? 0 : 100 * spec.completed_count() / spec.task_count();
  return out;
}

bool names_a_task(TaskAction action) {
  return action == TaskAction::get || action == TaskAction::start ||
         action == TaskAction::complete || action == TaskAction::block;
}

Answer<TaskAnswer> write(const Desk& desk, const Spec& spec, const TaskCall& asked,
                         Context& context) {
  if (const auto refused = write_refusal(spec)) return *refused;
  if (asked.action == TaskAction::add) return add(desk, spec, asked);
  if (asked.action == TaskAction::complete_all) return complete_batch(desk, spec, asked, context);
  return change(desk, spec, asked, context);
}

}  // namespace

Answer<TaskAnswer> task(const Desk& desk, const TaskCall& asked, Context& context) {
  const auto turn = desk.folder->take_turn();
  Result<std::optional<Spec>> found = desk.folder->find(asked.spec_id);
  if (!found) return tl::unexpected(found.error());
  if (!*found) return spec_not_found(desk, asked.spec_id);
  Spec& spec = **found;
  const bool needs_id = names_a_task(asked.action) || asked.action == TaskAction::add;
  if (needs_id && !asked.task_id) return missing("task_id", name(asked.action));
  if (names_a_task(asked.action) && spec.find(*asked.task_id) == nullptr) {
    return task_not_found(spec, *asked.task_id);
  }
  switch (asked.action) {
    case TaskAction::query: return query(spec, asked, context);
    case TaskAction::get: return show(*spec.find(*asked.task_id), context);
    case TaskAction::next: return next(spec, context);
    case TaskAction::progress: return progress(spec);
    default: return write(desk, spec, asked, context);
  }
}

std::vector<std::string> unmet(const Spec& spec, const Task& task) {
  std::vector<std::string> waits_for;
  for (const std::string& id : task.depends_on) {
    const bool done = std::any_of(spec.tasks.begin(), spec.tasks.end(), [&](const Task& one) {
      return one.id == id && one.status == TaskStatus::completed;
    });
    if (!done) waits_for.push_back(id);
  }
  return waits_for;
}

std::vector<std::string> order_of(const Spec& spec) {
  std::vector<std::string> order;
  const auto stands = [&](const std::string& id) {
    return std::find(order.begin(), order.end(), id) != order.end();
  };
  const auto is_task = [&](const std::string& id) {
    return std::any_of(spec.tasks.begin(), spec.tasks.end(),
                       [&](const Task& one) { return one.id == id; });
  };
  for (bool grew = true; grew;) {
    grew = false;
    for (const Task& one : spec.tasks) {
      const bool free =
          std::all_of(one.depends_on.begin(), one.depends_on.end(),
                      [&](const std::string& id) { return stands(id) || !is_task(id); });
      if (stands(one.id) || !free) continue;
      order.push_back(one.id);
      grew = true;
    }
  }
  return order;
}

}  // namespace foundry

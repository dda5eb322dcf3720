// SPDX-License-Identifier: Apache-2.0
// What the actions answer. `data` holds the business alone; request id, pages, limits, warnings and
// what was left out are the envelope's.
#pragma once

#include "spec.h"

#include <map>
#include <variant>

namespace foundry {

using level::field;

struct SpecList {
  std::vector<Spec> specs;
  std::int64_t total_count = 0;
  static constexpr auto fields() {
    return level::fields(field("specs", &SpecList::specs, Level::minimal).required(),
                         field("total_count", &SpecList::total_count, Level::minimal));
  }
};

struct SpecShown {
  Spec spec;
  std::string text;
  std::vector<Task> tasks;
  std::vector<std::string> order;
  bool has_order = false;
  static constexpr auto fields() {
    return level::fields(field("spec", &SpecShown::spec, Level::minimal),
                         level::preview("text", &SpecShown::text, 200, Level::standard)
                             .describe("Markdown; its beginning below level full"),
                         field("tasks", &SpecShown::tasks, Level::standard),
                         field("order", &SpecShown::order, Level::full)
                             .when(&SpecShown::has_order)
                             .describe("In which the tasks can be done"));
  }
};

struct SpecCreated {
  SpecStatus status = SpecStatus::pending;
  static constexpr auto fields() {
    return level::fields(field("created", &SpecCreated::status, Level::minimal)
                             .describe("The status that it has now"));
  }
};

struct SpecMoved {
  SpecStatus from{};
  SpecStatus to{};
  static constexpr auto fields() {
    return level::fields(field("moved_from", &SpecMoved::from, Level::minimal),
                         field("moved_to", &SpecMoved::to, Level::standard));
  }
};

struct Finding {
  std::string task_id;
  std::string problem;
  static constexpr auto fields() {
    return level::fields(field("task_id", &Finding::task_id, Level::minimal),
                         field("problem", &Finding::problem, Level::minimal));
  }
};

struct SpecChecked {
  std::vector<Finding> findings;
  static constexpr auto fields() {
    return level::fields(field("findings", &SpecChecked::findings, Level::minimal).required());
  }
};

struct SpecDeleted {
  std::int64_t deleted_tasks = 0;
  static constexpr auto fields() {
    return level::fields(field("deleted_tasks", &SpecDeleted::deleted_tasks, Level::minimal));
  }
};

using SpecAnswer =
    std::variant<SpecList, SpecShown, SpecCreated, SpecMoved, SpecChecked, SpecDeleted>;

struct TaskList {
  std::vector<Task> tasks;
  std::int64_t total_count = 0;
  std::int64_t filtered_count = 0;
  static constexpr auto fields() {
    return level::fields(field("tasks", &TaskList::tasks, Level::minimal).required(),
                         field("total_count", &TaskList::total_count, Level::minimal),
                         field("filtered_count", &TaskList::filtered_count, Level::standard));
  }
};

struct TaskShown {
  std::optional<Task> task;
  static constexpr auto fields() {
    return level::fields(field("task", &TaskShown::task, Level::minimal).required());
  }
};

struct TaskChanged {
  Task task;
  TaskStatus before{};
  std::vector<std::string> unblocked;

  [[nodiscard]] const std::string& task_id() const { return task.id; }
  [[nodiscard]] TaskStatus status() const { return task.status; }
  static constexpr auto fields() {
    return level::fields(field("task_id", &TaskChanged::task_id, Level::minimal),
                         field("status", &TaskChanged::status, Level::minimal),
                         field("ready", &TaskChanged::unblocked, Level::minimal)
                             .describe("Tasks that nothing stands in the way of any more"),
                         field("before", &TaskChanged::before, Level::standard),
                         field("task", &TaskChanged::task, Level::full));
  }
};

struct TaskFailure {
  std::string task_id;
  std::string error;
  std::string error_code;
  static constexpr auto fields() {
    return level::fields(field("task_id", &TaskFailure::task_id, Level::minimal),
                         field("error", &TaskFailure::error, Level::minimal),
                         field("error_code", &TaskFailure::error_code, Level::minimal));
  }
};

struct Batch {
  std::int64_t processed = 0;
  std::int64_t failed = 0;
  std::vector<TaskFailure> failures;
  static constexpr auto fields() {
    return level::fields(field("processed", &Batch::processed, Level::minimal),
                         field("failed", &Batch::failed, Level::minimal),
                         field("failures", &Batch::failures, Level::minimal));
  }
};

struct Progress {
  std::int64_t percent = 0;
  std::map<std::string, std::int64_t> counts;
  std::vector<Task> blocked;
  static constexpr auto fields() {
    return level::fields(field("percent", &Progress::percent, Level::minimal),
                         field("counts", &Progress::counts, Level::minimal),
                         field("blocked", &Progress::blocked, Level::standard));
  }
};

using TaskAnswer = std::variant<TaskList, TaskShown, TaskChanged, Batch, Progress>;

}  // namespace foundry

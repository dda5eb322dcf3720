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
  bool has_order = false;

  [[nodiscard]] const std::string& text() const { return spec.text; }
  [[nodiscard]] const std::vector<Phase>& phases() const { return spec.phases; }
  [[nodiscard]] const std::vector<Task>& tasks() const { return spec.tasks; }
  [[nodiscard]] bool has_phases() const { return !spec.phases.empty(); }
  [[nodiscard]] std::vector<std::string> order() const { return spec.order(); }
  static constexpr auto fields() {
    return level::fields(
        field("spec", &SpecShown::spec, Level::minimal),
        level::preview("text", &SpecShown::text, 200, Level::standard)
            .describe("Markdown; its beginning below level full"),
        field("phases", &SpecShown::phases, Level::standard).when(&SpecShown::has_phases),
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

struct SpecEdited {
  Spec spec;

  [[nodiscard]] std::int64_t revision() const { return spec.revision; }
  [[nodiscard]] const std::string& text() const { return spec.text; }
  static constexpr auto fields() {
    return level::fields(field("revision", &SpecEdited::revision, Level::minimal),
                         field("spec", &SpecEdited::spec, Level::standard),
                         field("text", &SpecEdited::text, Level::full));
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

struct PhaseAdded {
  std::vector<Phase> phases;
  [[nodiscard]] std::int64_t position() const { return static_cast<std::int64_t>(phases.size()); }
  static constexpr auto fields() {
    return level::fields(field("position", &PhaseAdded::position, Level::minimal)
                             .describe("Among the phases, from 1"),
                         field("phases", &PhaseAdded::phases, Level::standard));
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

using SpecAnswer = std::variant<SpecList, SpecShown, SpecCreated, SpecEdited, SpecMoved, PhaseAdded,
                                SpecChecked, SpecDeleted>;

struct TaskList {
  std::vector<Task> tasks;
  std::int64_t total_count = 0;
  std::int64_t task_count = 0;
  static constexpr auto fields() {
    return level::fields(field("tasks", &TaskList::tasks, Level::minimal).required(),
                         field("total_count", &TaskList::total_count, Level::minimal)
                             .describe("Tasks that the query finds, on all pages"),
                         field("task_count", &TaskList::task_count, Level::standard)
                             .describe("Tasks of the specification"));
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
  std::vector<std::string> ready;
  std::vector<std::string> waiting;

  [[nodiscard]] const std::string& task_id() const { return task.id; }
  [[nodiscard]] TaskStatus status() const { return task.status; }
  [[nodiscard]] bool has_waiting() const { return !waiting.empty(); }
  static constexpr auto fields() {
    return level::fields(field("task_id", &TaskChanged::task_id, Level::minimal),
                         field("status", &TaskChanged::status, Level::minimal),
                         field("ready", &TaskChanged::ready, Level::minimal)
                             .describe("Tasks that nothing stands in the way of any more"),
                         field("waiting", &TaskChanged::waiting, Level::minimal)
                             .when(&TaskChanged::has_waiting)
                             .describe("Tasks that were ready and have to wait again"),
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
  std::vector<TaskFailure> failures;
  [[nodiscard]] std::int64_t failed() const { return static_cast<std::int64_t>(failures.size()); }
  static constexpr auto fields() {
    return level::fields(field("processed", &Batch::processed, Level::minimal),
                         field("failed", &Batch::failed, Level::minimal),
                         field("failures", &Batch::failures, Level::minimal));
  }
};

struct PhaseProgress {
  std::string phase_id;
  std::int64_t task_count = 0;
  std::int64_t completed_count = 0;
  static constexpr auto fields() {
    return level::fields(field("phase_id", &PhaseProgress::phase_id, Level::minimal),
                         field("task_count", &PhaseProgress::task_count, Level::minimal),
                         field("completed_count", &PhaseProgress::completed_count, Level::minimal));
  }
};

struct Progress {
  std::int64_t percent = 0;
  std::map<std::string, std::int64_t> counts;
  std::vector<PhaseProgress> phases;
  std::vector<Task> blocked;
  [[nodiscard]] bool has_phases() const { return !phases.empty(); }
  static constexpr auto fields() {
    return level::fields(
        field("percent", &Progress::percent, Level::minimal),
        field("counts", &Progress::counts, Level::minimal),
        field("phases", &Progress::phases, Level::standard).when(&Progress::has_phases),
        field("blocked", &Progress::blocked, Level::standard));
  }
};

using TaskAnswer = std::variant<TaskList, TaskShown, TaskChanged, Batch, Progress>;

struct EntryList {
  std::vector<Entry> entries;
  std::int64_t total_count = 0;
  static constexpr auto fields() {
    return level::fields(field("entries", &EntryList::entries, Level::minimal).required(),
                         field("total_count", &EntryList::total_count, Level::minimal));
  }
};

struct EntryAdded {
  Entry entry;
  [[nodiscard]] const std::string& at() const { return entry.at; }
  static constexpr auto fields() {
    return level::fields(field("at", &EntryAdded::at, Level::minimal),
                         field("entry", &EntryAdded::entry, Level::standard));
  }
};

using JournalAnswer = std::variant<EntryList, EntryAdded>;

}  // namespace foundry

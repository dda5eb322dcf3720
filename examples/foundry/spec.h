// SPDX-License-Identifier: Apache-2.0
// A specification and its tasks, as the folder keeps them and as answers show them.
#pragma once

#include "enfold/level/fields.h"
#include "enfold/server/arguments.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foundry {

namespace level = enfold::level;
namespace server = enfold::server;
using enfold::model::Level;

enum class SpecStatus { pending, active, completed };
enum class TaskStatus { pending, in_progress, blocked, completed };

}  // namespace foundry

template <>
struct enfold::model::Names<foundry::SpecStatus> {
  static constexpr std::array<std::string_view, 3> values{"pending", "active", "completed"};
};
template <>
struct enfold::model::Names<foundry::TaskStatus> {
  static constexpr std::array<std::string_view, 4> values{"pending", "in_progress", "blocked",
                                                          "completed"};
};

namespace foundry {

struct Task {
  std::string id;
  std::string title;
  TaskStatus status = TaskStatus::pending;
  std::string owner;
  std::vector<std::string> depends_on;
  std::string blocker;  ///< what it waits for, when it is blocked
  std::string notes;    ///< Markdown

  [[nodiscard]] bool is_blocked() const { return status == TaskStatus::blocked; }
  [[nodiscard]] bool has_owner() const { return !owner.empty(); }
  [[nodiscard]] bool has_notes() const { return !notes.empty(); }

  /// In tasks.json.
  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(argument("id", &Task::id).pattern("^[a-z0-9-]+$"),
                             argument("title", &Task::title).at_least(1),
                             argument("status", &Task::status).defaulted(),
                             argument("owner", &Task::owner).defaulted(),
                             argument("depends_on", &Task::depends_on).defaulted(),
                             argument("blocker", &Task::blocker).defaulted(),
                             argument("notes", &Task::notes).defaulted());
  }
  static constexpr auto fields() {
    using level::field;
    return level::fields(field("task_id", &Task::id, Level::minimal),
                         field("title", &Task::title, Level::minimal),
                         field("status", &Task::status, Level::minimal),
                         field("blocker", &Task::blocker, Level::minimal).when(&Task::is_blocked),
                         field("owner", &Task::owner, Level::standard).when(&Task::has_owner),
                         field("depends_on", &Task::depends_on, Level::standard),
                         field("notes", &Task::notes, Level::full).when(&Task::has_notes));
  }
};

struct Spec {
  std::string id;
  SpecStatus status = SpecStatus::pending;
  std::string title;
  std::string text;  ///< Markdown, without the title
  std::vector<Task> tasks;
  std::string locked_by;  ///< another program that works on it; empty: nobody

  [[nodiscard]] Task* find(const std::string& task_id) {
    for (Task& task : tasks) {
      if (task.id == task_id) return &task;
    }
    return nullptr;
  }
  [[nodiscard]] std::int64_t task_count() const { return static_cast<std::int64_t>(tasks.size()); }
  [[nodiscard]] std::int64_t completed_count() const {
    std::int64_t count = 0;
    for (const Task& task : tasks) count += task.status == TaskStatus::completed ? 1 : 0;
    return count;
  }
  static constexpr auto fields() {
    using level::field;
    return level::fields(field("spec_id", &Spec::id, Level::minimal),
                         field("title", &Spec::title, Level::minimal),
                         field("status", &Spec::status, Level::minimal),
                         field("task_count", &Spec::task_count, Level::standard),
                         field("completed_count", &Spec::completed_count, Level::standard));
  }
};

}  // namespace foundry

// SPDX-License-Identifier: Apache-2.0
// A specification with its phases, tasks and journal, as the folder keeps them and as answers show
// them. Members have the same names in both.
#pragma once

#include "enfold/level/fields.h"
#include "enfold/server/fields.h"

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

inline constexpr std::string_view kIdPattern = "^[a-z0-9][a-z0-9-]{0,63}$";
using server::argument;

/// A part of the work; `next` proposes the tasks of earlier phases first.
struct Phase {
  std::string id;
  std::string title;
  static constexpr auto arguments() {
    return server::arguments(argument("phase_id", &Phase::id).pattern(kIdPattern),
                             argument("title", &Phase::title).at_least(1));
  }
  static constexpr auto fields() {
    return level::fields(level::field("phase_id", &Phase::id, Level::minimal),
                         level::field("title", &Phase::title, Level::minimal));
  }
};

struct Task {
  std::string id;
  std::string title;
  TaskStatus status = TaskStatus::pending;
  std::string owner;
  std::string phase_id;
  std::vector<std::string> depends_on;
  std::string blocker;  ///< what it waits for, when it is blocked
  std::string notes;    ///< Markdown

  [[nodiscard]] bool is_blocked() const { return status == TaskStatus::blocked; }
  [[nodiscard]] bool is_completed() const { return status == TaskStatus::completed; }
  [[nodiscard]] bool has_owner() const { return !owner.empty(); }
  [[nodiscard]] bool has_phase() const { return !phase_id.empty(); }
  [[nodiscard]] bool has_notes() const { return !notes.empty(); }

  static constexpr auto arguments() {
    return server::arguments(argument("task_id", &Task::id).pattern(kIdPattern),
                             argument("title", &Task::title).at_least(1),
                             argument("status", &Task::status).defaulted(),
                             argument("owner", &Task::owner).defaulted(),
                             argument("phase_id", &Task::phase_id).defaulted(),
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
                         field("phase_id", &Task::phase_id, Level::standard).when(&Task::has_phase),
                         field("depends_on", &Task::depends_on, Level::standard),
                         field("notes", &Task::notes, Level::full).when(&Task::has_notes));
  }
};

/// What happened to a specification. Every change writes one; `journal add` writes a note.
struct Entry {
  std::string at;  ///< 2026-01-02T03:04:05Z
  std::string by;  ///< a principal
  std::string event;
  std::string task_id;  ///< empty: the whole specification
  std::string note;

  [[nodiscard]] bool is_about_task() const { return !task_id.empty(); }
  [[nodiscard]] bool has_note() const { return !note.empty(); }
  static constexpr auto arguments() {
    return server::arguments(argument("at", &Entry::at), argument("by", &Entry::by),
                             argument("event", &Entry::event),
                             argument("task_id", &Entry::task_id).defaulted(),
                             argument("note", &Entry::note).defaulted());
  }
  static constexpr auto fields() {
    using level::field;
    return level::fields(
        field("at", &Entry::at, Level::minimal), field("by", &Entry::by, Level::minimal),
        field("event", &Entry::event, Level::minimal),
        field("task_id", &Entry::task_id, Level::minimal).when(&Entry::is_about_task),
        field("note", &Entry::note, Level::minimal).when(&Entry::has_note));
  }
};

struct Spec {
  std::string id;
  SpecStatus status = SpecStatus::pending;
  std::string title;
  bool has_title = true;  ///< false: the file has none, and the id serves as the title
  std::string text;       ///< Markdown
  std::int64_t revision = 0;
  std::vector<Phase> phases;
  std::vector<Task> tasks;
  std::vector<Entry> journal;  ///< oldest first

  /// nullptr: there is none.
  [[nodiscard]] const Task* find(const std::string& task_id) const;
  [[nodiscard]] Task* find(const std::string& task_id);
  [[nodiscard]] bool has_phase(const std::string& phase_id) const;
  [[nodiscard]] std::int64_t task_count() const { return static_cast<std::int64_t>(tasks.size()); }
  [[nodiscard]] std::int64_t completed_count() const;

  /// The tasks that a task still waits for.
  [[nodiscard]] std::vector<std::string> unmet(const Task& task) const;
  /// Pending, and waits for nothing.
  [[nodiscard]] bool is_ready(const Task& task) const;
  /// An order in which every task comes after those that it depends on; without those in a circle.
  [[nodiscard]] std::vector<std::string> order() const;

  /// Adds an entry to the journal.
  void record(const std::string& by, std::string event, std::string task_id = {},
              std::string note = {});

  static constexpr auto fields() {
    using level::field;
    return level::fields(field("spec_id", &Spec::id, Level::minimal),
                         field("title", &Spec::title, Level::minimal),
                         field("status", &Spec::status, Level::minimal),
                         field("revision", &Spec::revision, Level::standard)
                             .describe("For if_revision of spec edit"),
                         field("task_count", &Spec::task_count, Level::standard),
                         field("completed_count", &Spec::completed_count, Level::standard));
  }
};

}  // namespace foundry

// SPDX-License-Identifier: Apache-2.0
// What the tools take. Each has several actions; which arguments one needs is said in their
// descriptions and checked by the action.
#pragma once

#include "enfold/server/page.h"
#include "spec.h"

namespace foundry {

enum class SpecAction { list, get, create, edit, move, add_phase, check, remove };
enum class TaskAction {
  query,
  get,
  next,
  add,
  edit,
  start,
  block,
  complete,
  complete_batch,
  reopen,
  progress
};
enum class JournalAction { list, add };

}  // namespace foundry

template <>
struct enfold::model::Names<foundry::SpecAction> {
  static constexpr std::array<std::string_view, 8> values{"list", "get",       "create", "edit",
                                                          "move", "add-phase", "check",  "delete"};
};
template <>
struct enfold::model::Names<foundry::TaskAction> {
  static constexpr std::array<std::string_view, 11> values{
      "query", "get",      "next",           "add",    "edit",    "start",
      "block", "complete", "complete-batch", "reopen", "progress"};
};
template <>
struct enfold::model::Names<foundry::JournalAction> {
  static constexpr std::array<std::string_view, 2> values{"list", "add"};
};

namespace foundry {

struct SpecCall : server::PageRequest {
  static constexpr int page_size = 20;
  SpecAction action{};
  std::optional<std::string> spec_id;
  std::optional<SpecStatus> status;
  std::optional<std::string> title;
  std::optional<std::string> text;
  std::optional<std::string> phase_id;
  std::optional<std::int64_t> if_revision;
  std::optional<std::string> approval;
  std::string reason;
  static constexpr auto arguments() {
    return server::arguments(
        argument("action", &SpecCall::action)
            .describe("list (status), get (spec_id), create (spec_id, title, text), edit (spec_id, "
                      "title, text, if_revision), move (spec_id, status, reason; approval for "
                      "completed), add-phase (spec_id, phase_id, title), check (spec_id), delete "
                      "(spec_id)"),
        argument("spec_id", &SpecCall::spec_id).pattern(kIdPattern),
        argument("status", &SpecCall::status).describe("list: only these; move: the new one"),
        argument("title", &SpecCall::title).at_least(1).at_most(200),
        argument("text", &SpecCall::text).describe("Markdown").at_most(100'000),
        argument("phase_id", &SpecCall::phase_id).pattern(kIdPattern),
        argument("if_revision", &SpecCall::if_revision)
            .describe("Only if nobody has changed it since this revision"),
        argument("approval", &SpecCall::approval).describe("The reviewers' word"),
        argument("reason", &SpecCall::reason)
            .describe("For the journal")
            .at_most(1000)
            .defaulted());
  }
};

struct TaskCall : server::PageRequest {
  static constexpr int page_size = 20;
  TaskAction action{};
  std::string spec_id;
  std::optional<std::string> task_id;
  std::vector<std::string> task_ids;
  std::optional<TaskStatus> status;
  std::optional<std::string> title;
  std::optional<std::string> notes;
  std::optional<std::vector<std::string>> depends_on;
  std::optional<std::string> owner;
  std::optional<std::string> phase_id;
  std::string reason;
  static constexpr auto arguments() {
    return server::arguments(
        argument("action", &TaskCall::action)
            .describe("query (status, owner, phase_id), get (task_id), next, add (task_id, title, "
                      "notes, depends_on, owner, phase_id), edit (task_id and what to change), "
                      "start (task_id), block (task_id, reason), complete (task_id), "
                      "complete-batch (task_ids), reopen (task_id, reason), progress"),
        argument("spec_id", &TaskCall::spec_id).pattern(kIdPattern),
        argument("task_id", &TaskCall::task_id).pattern(kIdPattern),
        argument("task_ids", &TaskCall::task_ids).at_most(100).defaulted(),
        argument("status", &TaskCall::status),
        argument("title", &TaskCall::title).at_least(1).at_most(200),
        argument("notes", &TaskCall::notes).describe("Markdown").at_most(20'000),
        argument("depends_on", &TaskCall::depends_on).describe("Ids of tasks").at_most(50),
        argument("owner", &TaskCall::owner)
            .describe("Only they may change it; empty: anybody")
            .at_most(100),
        argument("phase_id", &TaskCall::phase_id).describe("Empty: none").at_most(64),
        argument("reason", &TaskCall::reason)
            .describe("What a blocked task waits for, or why one is open again")
            .at_most(1000)
            .defaulted());
  }
};

struct JournalCall : server::PageRequest {
  static constexpr int page_size = 20;
  JournalAction action{};
  std::string spec_id;
  std::optional<std::string> task_id;
  std::optional<std::string> note;
  static constexpr auto arguments() {
    return server::arguments(
        argument("action", &JournalCall::action)
            .describe("list (spec_id, task_id), newest first; add (spec_id, note, task_id)"),
        argument("spec_id", &JournalCall::spec_id).pattern(kIdPattern),
        argument("task_id", &JournalCall::task_id).describe("Only about it").pattern(kIdPattern),
        argument("note", &JournalCall::note).describe("Markdown").at_least(1).at_most(20'000));
  }
};

}  // namespace foundry

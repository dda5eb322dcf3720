// SPDX-License-Identifier: Apache-2.0
// What the tools take. Each has several actions; which arguments one needs is said in their
// descriptions and checked by the action.
#pragma once

#include "enfold/server/arguments.h"
#include "spec.h"

namespace foundry {

enum class SpecAction { list, get, create, move, check, remove };
enum class TaskAction { query, get, next, add, start, complete, complete_all, block, progress };

}  // namespace foundry

template <>
struct enfold::model::Names<foundry::SpecAction> {
  static constexpr std::array<std::string_view, 6> values{"list", "get",   "create",
                                                          "move", "check", "delete"};
};
template <>
struct enfold::model::Names<foundry::TaskAction> {
  static constexpr std::array<std::string_view, 9> values{
      "query", "get", "next", "add", "start", "complete", "complete-batch", "block", "progress"};
};

namespace foundry {

using server::argument;

inline constexpr std::string_view kIdPattern = "^[a-z0-9][a-z0-9-]{0,63}$";

struct SpecCall : server::PageArguments {
  SpecCall() { limit = 20; }
  SpecAction action{};
  std::optional<std::string> spec_id;
  std::optional<SpecStatus> status;
  std::optional<std::string> title;
  std::string text;
  std::optional<std::string> approval;
  static constexpr auto arguments() {
    return server::arguments(
        argument("action", &SpecCall::action)
            .describe("list (status), get (spec_id), create (spec_id, title, text), move (spec_id, "
                      "status, approval for completed), check (spec_id), delete (spec_id)"),
        argument("spec_id", &SpecCall::spec_id).pattern(kIdPattern),
        argument("status", &SpecCall::status).describe("list: only these; move: the new one"),
        argument("title", &SpecCall::title).at_least(1).at_most(200),
        argument("text", &SpecCall::text).describe("Markdown").at_most(100'000).defaulted(),
        argument("approval", &SpecCall::approval).describe("The reviewers' word"),
        server::cursor_argument(&SpecCall::cursor), server::limit_argument(&SpecCall::limit));
  }
};

struct TaskCall : server::PageArguments {
  TaskCall() { limit = 20; }
  TaskAction action{};
  std::string spec_id;
  std::optional<std::string> task_id;
  std::vector<std::string> task_ids;
  std::optional<TaskStatus> status;
  std::optional<std::string> title;
  std::string notes;
  std::vector<std::string> depends_on;
  std::string owner;
  std::string as;
  std::optional<std::string> reason;
  static constexpr auto arguments() {
    return server::arguments(
        argument("action", &TaskCall::action)
            .describe("query (status, owner), get (task_id), next, add (task_id, title, notes, "
                      "depends_on, owner), start (task_id), complete (task_id), complete-batch "
                      "(task_ids), block (task_id, reason), progress"),
        argument("spec_id", &TaskCall::spec_id).pattern(kIdPattern),
        argument("task_id", &TaskCall::task_id).pattern(kIdPattern),
        argument("task_ids", &TaskCall::task_ids).at_most(100).defaulted(),
        argument("status", &TaskCall::status),
        argument("title", &TaskCall::title).at_least(1).at_most(200),
        argument("notes", &TaskCall::notes).describe("Markdown").at_most(20'000).defaulted(),
        argument("depends_on", &TaskCall::depends_on).at_most(50).defaulted(),
        argument("owner", &TaskCall::owner).at_most(100).defaulted(),
        argument("as", &TaskCall::as)
            .describe("Who acts; a task with an owner is theirs")
            .defaulted(),
        argument("reason", &TaskCall::reason).describe("What a blocked task waits for").at_least(1),
        server::cursor_argument(&TaskCall::cursor), server::limit_argument(&TaskCall::limit));
  }
};

}  // namespace foundry

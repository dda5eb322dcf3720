// SPDX-License-Identifier: Apache-2.0
// The tools `spec`, `task` and `journal`: functions from a request and the folder to an answer. Who
// calls is Context::principal(); a caller cannot name themselves.
#pragma once

#include "answers.h"
#include "enfold/server/answer.h"
#include "enfold/server/context.h"
#include "folder.h"
#include "requests.h"

namespace foundry {

using server::Answer;
using server::Context;

inline constexpr std::string_view kDeleteFlag = "spec_delete";
inline constexpr std::string_view kOrderFlag = "spec_order";

/// What a handler works on.
struct Desk {
  std::shared_ptr<const Folder> folder;
  std::string approval;  ///< what `move` to completed asks for; empty: nothing
};

[[nodiscard]] Answer<SpecAnswer> spec(const Desk& desk, const SpecCall& asked, Context& context);
[[nodiscard]] Answer<TaskAnswer> task(const Desk& desk, const TaskCall& asked, Context& context);
[[nodiscard]] Answer<JournalAnswer> journal(const Desk& desk, const JournalCall& asked,
                                            Context& context);

// Failures that several tools answer with.
[[nodiscard]] enfold::model::Response folder_locked();
/// With the id that was probably meant.
[[nodiscard]] enfold::model::Response spec_not_found(const Desk& desk, const std::string& id);
[[nodiscard]] enfold::model::Response task_not_found(const Spec& spec, const std::string& id);
[[nodiscard]] enfold::model::Response missing(std::string_view field, std::string_view action);
[[nodiscard]] enfold::model::Response nothing_to_change(std::string_view fields);
[[nodiscard]] enfold::model::Response wrong_state(std::string message, std::string remediation);
[[nodiscard]] enfold::model::Response duplicate(std::string message);
/// nullopt: the specification may be changed.
[[nodiscard]] std::optional<enfold::model::Response> change_refusal(const Spec& spec);

/// One page of a list that is in memory; `base` has the other members of the answer.
template <class Row, class Request, class List>
[[nodiscard]] Answer<List> page_of(const std::vector<Row>& all, const Request& asked,
                                   Context& context, std::vector<Row> List::* rows,
                                   std::int64_t List::* total, List base = {}) {
  const auto source = [&](std::size_t from, std::size_t count) {
    List page = base;
    const std::size_t start = std::min(from, all.size());
    const std::size_t end = start + std::min(count, all.size() - start);
    (page.*rows)
        .assign(all.begin() + static_cast<std::ptrdiff_t>(start),
                all.begin() + static_cast<std::ptrdiff_t>(end));
    page.*total = static_cast<std::int64_t>(all.size());
    return page;
  };
  return context.page(asked, source, rows, total);
}

/// Answers with `use()` while the folder is locked. If another process keeps changing it, a
/// writer is refused; a reader goes on, with a warning.
template <class Made, class Use>
[[nodiscard]] Answer<Made> with_lock(const Desk& desk, Context& context, FileLock::Kind kind,
                                     Use use) {
  const Result<std::optional<FileLock>> lock = desk.folder->lock(kind);
  if (!lock) return tl::unexpected(lock.error());
  if (!*lock && kind == FileLock::Kind::exclusive) return folder_locked();
  if (!*lock) {
    context.warn("STALE_CACHE", "Another process is changing the folder; this may be outdated");
  }
  return use();
}

/// The same with `use(spec)` for one specification.
template <class Made, class Use>
[[nodiscard]] Answer<Made> with_spec(const Desk& desk, Context& context, const std::string& id,
                                     FileLock::Kind kind, Use use) {
  return with_lock<Made>(desk, context, kind, [&]() -> Answer<Made> {
    Result<std::optional<Spec>> found = desk.folder->find(id);
    if (!found) return tl::unexpected(found.error());
    if (!*found) return spec_not_found(desk, id);
    return use(**found);
  });
}

}  // namespace foundry

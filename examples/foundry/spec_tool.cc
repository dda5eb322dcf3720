// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/contract/errors/failures.h"
#include "tools.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace foundry {
namespace {

namespace failures = enfold::contract::failures;
using enfold::contract::make_failure;
using enfold::model::name;
using Refusal = std::optional<enfold::model::Response>;

Answer<SpecAnswer> list(const Desk& desk, const SpecCall& asked, Context& context) {
  ENFOLD_TRY(const Shelf shelf, desk.folder->all(asked.status));
  if (!shelf.damaged.empty()) {
    context.mark_partial();
    context.warn("PARTIAL_FAILURE",
                 fmt::format("Cannot be read: {}", fmt::join(shelf.damaged, ", ")));
  }
  return page_of(shelf.specs, asked, context, &SpecList::specs, &SpecList::total_count);
}

Answer<SpecAnswer> create(const Desk& desk, const SpecCall& asked, Context& context) {
  if (!asked.title) return missing("title", "create");
  // One that cannot be read is there all the same.
  const Result<std::optional<Spec>> found = desk.folder->find(*asked.spec_id);
  if (!found || *found) {
    return duplicate(fmt::format("There is a specification {} already", *asked.spec_id));
  }
  Spec fresh{.id = *asked.spec_id, .title = *asked.title, .text = asked.text.value_or("")};
  fresh.record(context.principal(), "created");
  if (Status done = desk.folder->save(fresh); !done) return tl::unexpected(done.error());
  return SpecCreated{fresh.status};
}

Answer<SpecAnswer> show(const Spec& spec, Context& context) {
  if (!spec.has_title) {
    context.warn("FALLBACK_USED", "The specification has no title; its id serves as one");
  }
  return SpecShown{spec, context.is_enabled(kOrderFlag)};
}

Answer<SpecAnswer> edit(const Desk& desk, const SpecCall& asked, Spec spec, Context& context) {
  if (const Refusal refused = change_refusal(spec)) return *refused;
  if (!asked.title && !asked.text) {
    return nothing_to_change("title or text");
  }
  if (asked.if_revision && *asked.if_revision != spec.revision) {
    return make_failure(failures::Conflict{
        .message = fmt::format("expected revision {}, found {}", *asked.if_revision, spec.revision),
        .extra = {.remediation = {"Read it again with get, then edit what is there now."}}});
  }
  if (asked.title) spec.title = *asked.title;
  spec.has_title = spec.has_title || asked.title;
  if (asked.text) spec.text = *asked.text;
  spec.record(context.principal(), "edited", {}, asked.reason);
  if (Status done = desk.folder->save(spec); !done) return tl::unexpected(done.error());
  return SpecEdited{std::move(spec)};
}

Refusal completion_refusal(const Desk& desk, const SpecCall& asked, const Spec& spec) {
  const bool is_approved =
      asked.approval && enfold::equal_in_constant_time(*asked.approval, desk.approval);
  if (!desk.approval.empty() && !is_approved) {
    return make_failure(failures::Unauthorized{
        .message = asked.approval ? "The approval is not the reviewers' word"
                                  : "Completing a specification needs the reviewers' approval",
        .extra = {.remediation = {"Ask a reviewer for the word and pass it as approval."}}});
  }
  const std::int64_t open = spec.task_count() - spec.completed_count();
  if (open == 0) return std::nullopt;
  return wrong_state(
      fmt::format("{} of {} tasks of {} are not completed", open, spec.task_count(), spec.id),
      "Complete its tasks first; task progress shows them.");
}

// Every status can be left again: a completed specification is reopened by moving it.
Answer<SpecAnswer> move(const Desk& desk, const SpecCall& asked, Spec spec, Context& context) {
  if (!asked.status) return missing("status", "move");
  const SpecStatus from = spec.status;
  const SpecStatus to = *asked.status;
  if (to == from) {
    return wrong_state(fmt::format("{} is {} already", spec.id, name(to)),
                       "Ask for its state with get before you change it.");
  }
  if (to == SpecStatus::completed) {
    if (const Refusal refused = completion_refusal(desk, asked, spec)) return *refused;
  }
  spec.status = to;
  spec.record(context.principal(), fmt::format("moved_to_{}", name(to)), {}, asked.reason);
  if (Status done = desk.folder->save(spec); !done) return tl::unexpected(done.error());
  return SpecMoved{from, to};
}

Answer<SpecAnswer> add_phase(const Desk& desk, const SpecCall& asked, Spec spec, Context& context) {
  if (!asked.phase_id) return missing("phase_id", "add-phase");
  if (!asked.title) return missing("title", "add-phase");
  if (const Refusal refused = change_refusal(spec)) return *refused;
  if (spec.has_phase(*asked.phase_id)) {
    return duplicate(fmt::format("There is a phase {} already", *asked.phase_id));
  }
  spec.phases.push_back({*asked.phase_id, *asked.title});
  spec.record(context.principal(), "phase_added", {}, *asked.phase_id);
  if (Status done = desk.folder->save(spec); !done) return tl::unexpected(done.error());
  return PhaseAdded{std::move(spec.phases)};
}

Answer<SpecAnswer> check(const Spec& spec, Context& context) {
  SpecChecked checked;
  const std::vector<std::string> order = spec.order();
  for (const Task& task : spec.tasks) {
    const auto report = [&](std::string problem) {
      checked.findings.push_back({task.id, std::move(problem)});
    };
    for (const std::string& id : task.depends_on) {
      if (spec.find(id) == nullptr) report(fmt::format("depends on {}, which is no task", id));
    }
    if (task.has_phase() && !spec.has_phase(task.phase_id)) {
      report(fmt::format("belongs to {}, which is no phase", task.phase_id));
    }
    if (std::find(order.begin(), order.end(), task.id) == order.end()) {
      report("depends on itself, by way of others or directly");
    }
  }
  if (!checked.findings.empty()) {
    context.warn("SPEC_INCONSISTENT", fmt::format("{} findings", checked.findings.size()));
  }
  return checked;
}

Answer<SpecAnswer> remove(const Desk& desk, const Spec& spec) {
  if (const Refusal refused = change_refusal(spec)) return *refused;
  if (Status done = desk.folder->remove(spec.id); !done) return tl::unexpected(done.error());
  return SpecDeleted{spec.task_count()};
}

bool only_reads(SpecAction action) {
  return action == SpecAction::list || action == SpecAction::get || action == SpecAction::check;
}

}  // namespace

Answer<SpecAnswer> spec(const Desk& desk, const SpecCall& asked, Context& context) {
  const auto kind = only_reads(asked.action) ? FileLock::Kind::shared : FileLock::Kind::exclusive;
  if (asked.action == SpecAction::list) {
    return with_lock<SpecAnswer>(desk, context, kind, [&] { return list(desk, asked, context); });
  }
  if (!asked.spec_id) return missing("spec_id", name(asked.action));
  if (asked.action == SpecAction::create) {
    return with_lock<SpecAnswer>(desk, context, kind, [&] { return create(desk, asked, context); });
  }
  if (asked.action == SpecAction::remove && !context.is_enabled(kDeleteFlag)) {
    return make_failure(failures::FeatureDisabled{.feature = std::string(kDeleteFlag)});
  }
  return with_spec<SpecAnswer>(desk, context, *asked.spec_id, kind, [&](const Spec& found) {
    switch (asked.action) {
      case SpecAction::edit: return edit(desk, asked, found, context);
      case SpecAction::move: return move(desk, asked, found, context);
      case SpecAction::add_phase: return add_phase(desk, asked, found, context);
      case SpecAction::check: return check(found, context);
      case SpecAction::remove: return remove(desk, found);
      default: return show(found, context);
    }
  });
}

}  // namespace foundry

// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
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

Answer<SpecAnswer> list(const Desk& desk, const SpecCall& asked, Context& context) {
  const std::string what(asked.status ? name(*asked.status) : "all");
  const auto offset = context.signed_offset(asked, what);
  if (!offset) return offset.error();
  Result<Shelf> shelf = desk.folder->all();
  if (!shelf) return tl::unexpected(shelf.error());
  if (!shelf->damaged.empty()) {
    context.mark_partial();
    context.warn("PARTIAL_FAILURE",
                 fmt::format("{} specifications cannot be read: {}", shelf->damaged.size(),
                             fmt::join(shelf->damaged, ", ")));
  }
  std::vector<Spec>& specs = shelf->specs;
  if (asked.status) {
    specs.erase(std::remove_if(specs.begin(), specs.end(),
                               [&](const Spec& one) { return one.status != *asked.status; }),
                specs.end());
  }
  SpecList page{.total_count = static_cast<std::int64_t>(specs.size())};
  for (std::size_t i = *offset; i < specs.size() && page.specs.size() < asked.size(); ++i) {
    page.specs.push_back(specs[i]);
  }
  context.set_signed_page(asked, *offset, page.specs.size(), specs.size(), what);
  return page;
}

Answer<SpecAnswer> create(const Desk& desk, const SpecCall& asked) {
  if (!asked.title) return missing("title", "create");
  const Result<std::optional<Spec>> found = desk.folder->find(*asked.spec_id);
  if (!found || *found) {
    return make_failure(failures::Conflict{
        .message = fmt::format("There is a specification {} already", *asked.spec_id),
        .code = "DUPLICATE_ENTRY",
        .extra = {.remediation = {"Choose another spec_id, or change the one that there is."}}});
  }
  const Spec fresh{.id = *asked.spec_id, .title = *asked.title, .text = asked.text};
  if (Status done = desk.folder->create(fresh); !done) return tl::unexpected(done.error());
  return SpecCreated{fresh.status};
}

Answer<SpecAnswer> show(const Spec& spec, Context& context) {
  if (spec.title == spec.id) {
    context.warn("FALLBACK_USED", "spec.md has no heading; its id serves as the title");
  }
  if (!spec.locked_by.empty()) {
    context.warn("STALE_CACHE",
                 fmt::format("{} is working on it; this may be outdated", spec.locked_by));
  }
  return SpecShown{spec, spec.text, spec.tasks, order_of(spec), context.is_enabled(kOrderFlag)};
}

enfold::model::Response wrong_state(std::string message, std::string advice) {
  return make_failure(failures::Conflict{.message = std::move(message),
                                         .code = "INVALID_STATE",
                                         .extra = {.remediation = {std::move(advice)}}});
}

Answer<SpecAnswer> move(const Desk& desk, const SpecCall& asked, const Spec& spec) {
  if (!asked.status) return missing("status", "move");
  const SpecStatus to = *asked.status;
  if (to == spec.status) {
    return wrong_state(fmt::format("{} is {} already", spec.id, name(to)),
                       "Ask for its state with get before you change it.");
  }
  if (to == SpecStatus::completed) {
    const bool approved =
        asked.approval && enfold::equal_in_constant_time(*asked.approval, desk.approval);
    if (!desk.approval.empty() && !approved) {
      return make_failure(failures::Unauthorized{
          .message = asked.approval ? "The approval is not the reviewers' word"
                                    : "Completing a specification needs the reviewers' approval",
          .extra = {.remediation = {"Ask a reviewer for the word and pass it as approval."}}});
    }
    if (spec.completed_count() < spec.task_count()) {
      return wrong_state(
          fmt::format("{} of {} tasks of {} are not completed",
                      spec.task_count() - spec.completed_count(), spec.task_count(), spec.id),
          "Complete its tasks first; task progress shows them.");
    }
  }
  if (const auto refused = write_refusal(spec)) return *refused;
  if (Status done = desk.folder->move(spec, to); !done) return tl::unexpected(done.error());
  return SpecMoved{spec.status, to};
}

Answer<SpecAnswer> check(Spec spec, Context& context) {
  SpecChecked checked;
  const std::vector<std::string> order = order_of(spec);
  for (const Task& task : spec.tasks) {
    for (const std::string& id : task.depends_on) {
      if (spec.find(id) == nullptr) {
        checked.findings.push_back({task.id, fmt::format("depends on {}, which is no task", id)});
      }
    }
    if (std::find(order.begin(), order.end(), task.id) == order.end()) {
      checked.findings.push_back({task.id, "depends on itself, by way of others or directly"});
    }
  }
  if (!checked.findings.empty()) {
    context.warn("SPEC_INCONSISTENT", fmt::format("{} findings", checked.findings.size()));
  }
  return checked;
}

Answer<SpecAnswer> remove(const Desk& desk, const Spec& spec) {
  if (const auto refused = write_refusal(spec)) return *refused;
  if (Status done = desk.folder->remove(spec); !done) return tl::unexpected(done.error());
  return SpecDeleted{spec.task_count()};
}

}  // namespace

Answer<SpecAnswer> spec(const Desk& desk, const SpecCall& asked, Context& context) {
  const auto turn = desk.folder->take_turn();
  if (asked.action == SpecAction::list) return list(desk, asked, context);
  if (!asked.spec_id) return missing("spec_id", name(asked.action));
  if (asked.action == SpecAction::create) return create(desk, asked);
  if (asked.action == SpecAction::remove && !context.is_enabled(kDeleteFlag)) {
    return make_failure(failures::FeatureDisabled{.feature = std::string(kDeleteFlag)});
  }
  const Result<std::optional<Spec>> found = desk.folder->find(*asked.spec_id);
  if (!found) return tl::unexpected(found.error());
  if (!*found) return spec_not_found(desk, *asked.spec_id);
  switch (asked.action) {
    case SpecAction::move: return move(desk, asked, **found);
    case SpecAction::check: return check(**found, context);
    case SpecAction::remove: return remove(desk, **found);
    default: return show(**found, context);
  }
}

enfold::model::Response spec_not_found(const Desk& desk, const std::string& id) {
  std::vector<std::string> known;
  if (const Result<Shelf> shelf = desk.folder->all()) {
    for (const Spec& one : shelf->specs) known.push_back(one.id);
  }
  return make_failure(failures::NotFound{
      .resource_type = "Spec",
      .resource_id = id,
      .code = "SPEC_NOT_FOUND",
      .extra = {.remediation = {enfold::did_you_mean(
                    id, known, "Verify the spec ID exists using spec(action=\"list\")")}}});
}

std::optional<enfold::model::Response> write_refusal(const Spec& spec) {
  constexpr std::int64_t kRetryAfter = 5;
  if (!spec.locked_by.empty()) {
    return make_failure(failures::Unavailable{
        .message = fmt::format("{} is locked by {}", spec.id, spec.locked_by),
        .retry_after = kRetryAfter,
        .extra = {.remediation = {"Try again later; if that program is gone, remove the file "
                                  ".lock of the specification."}}});
  }
  if (spec.status == SpecStatus::completed) {
    return wrong_state(fmt::format("{} is completed", spec.id),
                       "Move it back to active before you change it.");
  }
  return std::nullopt;
}

enfold::model::Response missing(std::string_view field, std::string_view action) {
  return make_failure(failures::MissingRequired{
      .field = std::string(field),
      .extra = {.remediation = {fmt::format("Pass {}: the action {} needs it.", field, action)}}});
}

}  // namespace foundry

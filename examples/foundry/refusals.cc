// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/contract/errors/failures.h"
#include "tools.h"

#include <fmt/core.h>

namespace foundry {
namespace {

namespace failures = enfold::contract::failures;
using enfold::contract::make_failure;

template <class Items>
std::vector<std::string> ids_of(const Items& items) {
  std::vector<std::string> ids;
  for (const auto& one : items) ids.push_back(one.id);
  return ids;
}

}  // namespace

enfold::model::Response folder_locked() {
  constexpr std::int64_t kRetryAfter = 5;
  return make_failure(failures::Unavailable{
      .message = "Another process is changing the folder",
      .retry_after = kRetryAfter,
      .extra = {
          .remediation = {"Try again later. The lock ends with the process that holds it."}}});
}

enfold::model::Response spec_not_found(const Desk& desk, const std::string& id) {
  const Result<Shelf> shelf = desk.folder->all();
  const std::vector<std::string> known = ids_of(shelf ? shelf->specs : std::vector<Spec>());
  return make_failure(failures::NotFound{
      .resource_type = "Spec",
      .resource_id = id,
      .code = "SPEC_NOT_FOUND",
      .extra = {.remediation = {enfold::did_you_mean(
                    id, known, "Verify the spec ID exists using spec(action=\"list\")")}}});
}

enfold::model::Response task_not_found(const Spec& spec, const std::string& id) {
  const std::string otherwise =
      fmt::format("Find its id with task(action=\"query\", spec_id=\"{}\").", spec.id);
  return make_failure(failures::NotFound{
      .resource_type = "Task",
      .resource_id = id,
      .code = "TASK_NOT_FOUND",
      .extra = {.remediation = {enfold::did_you_mean(id, ids_of(spec.tasks), otherwise)}}});
}

enfold::model::Response missing(std::string_view field, std::string_view action) {
  return make_failure(failures::MissingRequired{
      .field = std::string(field),
      .extra = {.remediation = {fmt::format("Pass {}: the action {} needs it.", field, action)}}});
}

enfold::model::Response nothing_to_change(std::string_view fields) {
  return make_failure(failures::Validation{
      .message = fmt::format("expected something to change: {}", fields),
      .extra = {.remediation = {fmt::format("Pass the new value of {}.", fields)}}});
}

enfold::model::Response wrong_state(std::string message, std::string remediation) {
  return make_failure(failures::Conflict{.message = std::move(message),
                                         .code = "INVALID_STATE",
                                         .extra = {.remediation = {std::move(remediation)}}});
}

enfold::model::Response duplicate(std::string message) {
  return make_failure(failures::Conflict{
      .message = std::move(message),
      .code = "DUPLICATE_ENTRY",
      .extra = {.remediation = {"Choose another id, or change the one that there is."}}});
}

std::optional<enfold::model::Response> change_refusal(const Spec& spec) {
  if (spec.status != SpecStatus::completed) return std::nullopt;
  return wrong_state(
      fmt::format("{} is completed", spec.id),
      fmt::format("Reopen it first: spec(action=\"move\", spec_id=\"{}\", status=\"active\").",
                  spec.id));
}

}  // namespace foundry

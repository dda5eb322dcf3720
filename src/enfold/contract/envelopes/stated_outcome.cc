// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/envelopes/stated_outcome.h"

#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure.h"
#include "enfold/contract/reading/outcome.h"

#include <fmt/core.h>

namespace enfold::contract::detail {

// Each `success` and `error` counts, also one that a later member of the same name hides.
StatedOutcome stated_outcome(json::View envelope) {
  bool says_true = false;
  bool says_false = false;
  bool has_error = false;
  for (const json::Member& member : envelope.members()) {
    if (member.key.equals("success")) {
      const auto success = truth_of(member.value);
      says_true = says_true || success == true;
      says_false = says_false || success == false;
    } else if (member.key.equals("error")) {
      has_error = has_error || names_error(member.value);
    }
  }
  StatedOutcome out{.failed = says_false || has_error};
  out.rule = says_false  ? "says success: false"
             : has_error ? "has an error"
             : says_true ? "says success: true"
                         : "has neither success nor an error";
  out.reason = says_false ? "`success` is false" : "`error` names an error";
  if (out.failed && says_true) out.contradiction = "`success` is true";
  return out;
}

model::Failure failure_of_any_error(const std::optional<json::View>& error) {
  if (!error) return {};
  if (error->is_string()) return {.message = error->string()};
  if (error->is_object()) {
    model::Failure failure = failure_of_error(*error).failure;
    if (const auto inner = error->find("error"); inner && failure.message.empty()) {
      failure.message = failure_of_any_error(inner).message;
    }
    return failure;
  }
  if (error->is_number()) return {.code = std::string(error->number())};
  const auto first = error->is_array() ? error->item(0) : std::nullopt;
  if (!first) return {};
  model::Failure failure = failure_of_any_error(first);
  if (error->size() > 1) failure.details = json::Value(*error);
  return failure;
}

model::Warning contradiction_warning(std::string_view success, std::string_view failure) {
  return make_warning("CONTRADICTORY_OUTCOME",
                      fmt::format("{}, but {}: read as a failure", success, failure));
}

}  // namespace enfold::contract::detail

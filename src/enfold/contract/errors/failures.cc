// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/failures.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failure_builder.h"

#include <fmt/core.h>

namespace enfold::contract {

using detail::build_failure;
using detail::FailureMembers;
using detail::listed;
using detail::or_else;
using detail::seconds;
using detail::with_member;
using model::Number;
using model::Response;

Response make_failure(const failures::Other& given) {
  const std::string code = or_else(given.code, "INTERNAL_ERROR");
  Response response = build_failure({code, given.message, {}}, given.extra, given.payload);
  if (given.type) {
    response.failure->type = given.type;
    response.failure->kind = kind_of(code, given.type);
  }
  return response;
}

Response make_failure(const failures::Validation& given) {
  failures::Extra extra = given.extra;
  extra.details = with_member(extra.details, "field", given.field);
  return build_failure({"VALIDATION_ERROR", given.message, {}}, extra);
}

Response make_failure(const failures::MissingRequired& given) {
  failures::Extra extra = given.extra;
  extra.details = with_member(extra.details, "field", given.field);
  return build_failure(
      {"MISSING_REQUIRED", fmt::format("Missing required parameter '{}'", given.field),
       fmt::format("Provide '{}' and call again.", given.field)},
      extra);
}

Response make_failure(const failures::InvalidFormat& given) {
  failures::Extra extra = given.extra;
  extra.details = with_member(extra.details, "field", given.field);
  return build_failure(
      {"INVALID_FORMAT", given.message, "Correct the format of the value and call again."}, extra);
}

Response make_failure(const failures::InvalidCursor& given) {
  failures::Extra extra = given.extra;
  extra.details = with_member(extra.details, "reason", given.reason);
  extra.details = with_member(extra.details, "cursor", given.cursor);
  return build_failure(
      {"INVALID_FORMAT", "Invalid pagination cursor",
       "Pass back the cursor of the previous page unchanged, or leave it out to start "
       "with the first page."},
      extra);
}

Response make_failure(const failures::UnknownAction& given) {
  failures::Extra extra = given.extra;
  if (!extra.details) {
    extra.details = FailureMembers()
                        .text("action", given.action)
                        .texts("allowed_actions", given.allowed)
                        .finish();
  }
  return build_failure({"VALIDATION_ERROR",
                        fmt::format("Unknown action '{}' of tool '{}'. Allowed: {}", given.action,
                                    given.tool, listed(given.allowed, given.allowed.size())),
                        "Call again with one of the allowed actions."},
                       extra);
}

Response make_failure(const failures::NotFound& given) {
  return build_failure({or_else(given.code, "NOT_FOUND"),
                        fmt::format("{} '{}' not found", given.resource_type, given.resource_id),
                        fmt::format("Verify that the {} ID exists and is spelled correctly.",
                                    to_lower(given.resource_type)),
                        model::ErrorType::not_found},
                       given.extra,
                       FailureMembers()
                           .text("resource_type", given.resource_type)
                           .text("resource_id", given.resource_id)
                           .finish());
}

Response make_failure(const failures::RateLimit& given) {
  Response response = build_failure(
      {"RATE_LIMIT_EXCEEDED",
       fmt::format("Rate limit exceeded: {} requests per {}", given.limit, given.period),
       fmt::format("Wait {} before calling again.", seconds(given.retry_after))},
      given.extra);
  const Number wait = Number::of(given.retry_after);
  response.failure->retry_after = wait;
  model::RateLimit& limit = response.rate_limit.emplace();
  limit.limit = Number::of(given.limit);
  limit.period = given.period;
  limit.retry_after = wait;
  limit.reset_at = given.reset_at;
  if (given.remaining) limit.remaining = Number::of(*given.remaining);
  return response;
}

Response make_failure(const failures::Unauthorized& given) {
  return build_failure({"UNAUTHORIZED", or_else(given.message, "Authentication required"),
                        "Provide valid credentials and call again."},
                       given.extra);
}

Response make_failure(const failures::Forbidden& given) {
  return build_failure(
      {"FORBIDDEN", or_else(given.message, "Access denied"),
       given.required_permission.empty()
           ? "Ask the owner of the resource for access."
           : fmt::format("Ask the owner of the resource for the permission '{}'.",
                         given.required_permission)},
      given.extra,
      FailureMembers().text("required_permission", given.required_permission).finish());
}

Response make_failure(const failures::Conflict& given) {
  return build_failure(
      {or_else(given.code, "CONFLICT"), given.message,
       "Check the current state of the resource, then decide whether to call again.",
       model::ErrorType::conflict},
      given.extra);
}

Response make_failure(const failures::Internal& given) {
  std::string remediation = "Try again. If the failure persists, report it";
  remediation += given.extra.request_id.empty()
                     ? "."
                     : fmt::format(" with the reference {}.", given.extra.request_id);
  return build_failure(
      {"INTERNAL_ERROR", or_else(given.message, "An internal error occurred"), remediation},
      given.extra);
}

Response make_failure(const failures::Unavailable& given) {
  Response response = build_failure(
      {"UNAVAILABLE", or_else(given.message, "The service is temporarily unavailable"),
       given.retry_after ? fmt::format("Try again after {}.", seconds(*given.retry_after))
                         : "Try again with increasing pauses."},
      given.extra);
  if (given.retry_after) response.failure->retry_after = Number::of(*given.retry_after);
  return response;
}

Response make_failure(const failures::Timeout& given) {
  return build_failure(
      {"TIMEOUT",
       fmt::format("{} timed out{}", or_else(given.what, "The operation"),
                   given.seconds ? " after " + seconds(*given.seconds) : std::string()),
       "Try again, with a smaller request if possible."},
      given.extra, FailureMembers().number("timeout_seconds", given.seconds).finish());
}

Response make_failure(const failures::TooLarge& given) {
  std::string message = or_else(given.what, "The request") + " is too large";
  if (given.size && given.limit) {
    message +=
        fmt::format(": {} {}, at most {} are allowed", *given.size, given.unit, *given.limit);
  }
  return build_failure(
      {"PAYLOAD_TOO_LARGE", std::move(message),
       "Ask for less: use a filter, a page size or a lower level of detail."},
      given.extra,
      FailureMembers().number("size", given.size).number("limit", given.limit).finish());
}

Response make_failure(const failures::NotImplemented& given) {
  return build_failure({"NOT_IMPLEMENTED", fmt::format("'{}' is not implemented", given.feature),
                        "Use another tool or action."},
                       given.extra, FailureMembers().text("feature", given.feature).finish());
}

Response make_failure(const failures::FeatureDisabled& given) {
  return build_failure(
      {"FEATURE_DISABLED", fmt::format("Feature '{}' is not enabled", given.feature),
       "Ask the operator to enable the feature flag for this client."},
      given.extra, FailureMembers().text("feature", given.feature).finish());
}

Response make_failure(const failures::TierTooLow& given) {
  failures::Extra extra = given.extra;
  extra.details = with_member(extra.details, "required_tier", given.required_tier);
  const std::string reason =
      fmt::format("'{}' requires the {} tier", given.feature, given.required_tier);
  Response response =
      build_failure({"FEATURE_DISABLED", reason, "Upgrade, or call without this feature."}, extra,
                    FailureMembers().text("feature", given.feature).finish());
  response.failure->kind = model::ErrorKind::tier_too_low;
  response.upgrade_hints.push_back({given.feature, given.required_tier, reason});
  return response;
}

}  // namespace enfold::contract

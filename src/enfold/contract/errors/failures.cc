// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/failures.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failure_builder.h"

#include <fmt/format.h>

namespace enfold::contract {
namespace detail {

failures::Extra with_details(failures::Extra extra, const std::optional<json::Value>& members) {
  std::optional<json::Value>& details = extra.details;
  if (!members || (details && !details->view().is_object())) return extra;
  json::Writer writer;
  writer.begin_object();
  if (details) json::write_members(writer, details->view());
  for (const json::Member& member : members->view().members()) {
    if (!details || !details->view().find(member.key.string())) {
      writer.key(member.key.string()).value(member.value);
    }
  }
  details = std::move(writer.end_object()).finish_value();
  return extra;
}

failures::Extra with_detail(failures::Extra extra, std::string_view key, std::string_view text) {
  return with_details(std::move(extra), members(key, std::string(text)));
}

model::Response build_failure(const failures::Extra& extra, std::string_view code,
                              std::string message, std::string remediation,
                              std::optional<json::Value> payload,
                              std::optional<model::ErrorType> type) {
  const bool known = find_code(code) != nullptr;
  model::Failure failure{.kind = kind_of(code, type),
                         .code = std::string(code),
                         .type = known ? type_of(code) : type.value_or(type_of(code)),
                         .message = std::move(message),
                         .remediation = extra.remediation,
                         .details = extra.details};
  if (failure.remediation.empty()) {
    if (remediation.empty()) remediation = traits(failure.kind).remediation;
    failure.remediation.push_back(std::move(remediation));
  }
  model::Response response;
  response.outcome = model::Outcome::failed;
  response.failure = std::move(failure);
  response.payload = std::move(payload);
  response.request_id = extra.request_id;
  return response;
}

std::string or_else(const std::string& text, std::string_view standard) {
  return text.empty() ? std::string(standard) : text;
}

std::string because(const std::string& reason) {
  return reason.empty() ? std::string() : ": " + reason;
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out;
}

std::string seconds(std::int64_t count) {
  return fmt::format("{} second{}", count, count == 1 ? "" : "s");
}

}  // namespace detail

namespace {

using namespace detail;
using namespace failures;
using model::Number;
using model::Response;

Response build(const Other& f) {
  const std::string code = or_else(f.code, "INTERNAL_ERROR");
  Response response = build_failure(f.extra, code, f.message, /*remediation=*/{}, f.payload);
  if (f.type) {
    response.failure->type = f.type;
    response.failure->kind = kind_of(code, f.type);
    if (f.extra.remediation.empty()) {
      response.failure->remediation = {std::string(traits(response.failure->kind).remediation)};
    }
  }
  return response;
}

Response build(const Validation& f) {
  return build_failure(with_detail(f.extra, "field", f.field), "VALIDATION_ERROR", f.message,
                       /*remediation=*/{});
}

Response build(const MissingRequired& f) {
  const Extra extra = with_detail(with_detail(f.extra, "field", f.field), "constraint", "required");
  return build_failure(extra, "MISSING_REQUIRED",
                       fmt::format("Missing required parameter '{}'", f.field),
                       fmt::format("Provide '{}' and call again.", f.field));
}

Response build(const InvalidFormat& f) {
  return build_failure(with_detail(f.extra, "field", f.field), "INVALID_FORMAT", f.message,
                       "Correct the format of the value and call again.");
}

Response build(const InvalidCursor& f) {
  return build_failure(
      with_detail(with_detail(f.extra, "reason", f.reason), "cursor", f.cursor), "INVALID_FORMAT",
      "Invalid pagination cursor",
      "Pass back the cursor of the previous page unchanged, or leave it out to start with the "
      "first page.");
}

Response build(const UnknownAction& f) {
  const Extra extra =
      with_details(f.extra, members("action", f.action, "allowed_actions", f.allowed));
  return build_failure(extra, "VALIDATION_ERROR",
                       fmt::format("Unknown action '{}' of tool '{}'. Allowed: {}", f.action,
                                   f.tool, fmt::join(f.allowed, ", ")),
                       "Call again with one of the allowed actions.");
}

Response build(const NotFound& f) {
  const Extra extra = with_detail(with_detail(f.extra, "resource_type", to_lower(f.resource_type)),
                                  "resource_id", f.resource_id);
  return build_failure(extra, or_else(f.code, "NOT_FOUND"),
                       fmt::format("{} '{}' not found", f.resource_type, f.resource_id),
                       fmt::format("Verify that the {} ID exists and is spelled correctly.",
                                   to_lower(f.resource_type)),
                       /*payload=*/std::nullopt, model::ErrorType::not_found);
}

Response build(const RateLimit& f) {
  Response response =
      build_failure(f.extra, "RATE_LIMIT_EXCEEDED",
                    fmt::format("Rate limit exceeded: {} requests per {}", f.limit, f.period),
                    fmt::format("Wait {} before calling again.", seconds(f.retry_after)));
  const Number wait = Number::of(f.retry_after);
  response.failure->retry_after = wait;
  response.rate_limit = model::RateLimit{.limit = Number::of(f.limit),
                                         .remaining = std::nullopt,
                                         .reset_at = f.reset_at,
                                         .period = f.period,
                                         .retry_after = wait};
  if (f.remaining) response.rate_limit->remaining = Number::of(*f.remaining);
  return response;
}

Response build(const Unauthorized& f) {
  return build_failure(f.extra, "UNAUTHORIZED", or_else(f.message, "Authentication required"),
                       /*remediation=*/{});
}

Response build(const Forbidden& f) {
  return build_failure(f.extra, "FORBIDDEN", or_else(f.message, "Access denied"),
                       f.required_permission.empty()
                           ? std::string()
                           : fmt::format("Ask the owner of the resource for the permission '{}'.",
                                         f.required_permission),
                       members("required_permission", f.required_permission));
}

Response build(const Conflict& f) {
  return build_failure(f.extra, or_else(f.code, "CONFLICT"), f.message, /*remediation=*/{},
                       /*payload=*/std::nullopt, model::ErrorType::conflict);
}

Response build(const Internal& f) {
  const std::string& id = f.extra.request_id;
  return build_failure(f.extra, "INTERNAL_ERROR", or_else(f.message, "An internal error occurred"),
                       id.empty() ? std::string()
                                  : fmt::format("Report the failure with the reference {}; a later "
                                                "retry helps only if the cause was temporary.",
                                                id));
}

Response build(const Unavailable& f) {
  Response response = build_failure(
      f.extra, "UNAVAILABLE", or_else(f.message, "The service is temporarily unavailable"),
      f.retry_after ? fmt::format("Call again after {}.", seconds(*f.retry_after)) : std::string());
  if (f.retry_after) response.failure->retry_after = Number::of(*f.retry_after);
  return response;
}

Response build(const Timeout& f) {
  return build_failure(f.extra, "TIMEOUT",
                       fmt::format("{} timed out{}", or_else(f.what, "The operation"),
                                   f.seconds ? " after " + detail::seconds(*f.seconds) : ""),
                       /*remediation=*/{}, members("timeout_seconds", f.seconds));
}

Response build(const TooLarge& f) {
  std::string message = or_else(f.what, "The request") + " is too large";
  if (f.size && f.limit) {
    message += fmt::format(": {} {}, at most {} are allowed", *f.size, f.unit, *f.limit);
  }
  return build_failure(f.extra, "PAYLOAD_TOO_LARGE", std::move(message), /*remediation=*/{},
                       members("size", f.size, "limit", f.limit));
}

Response build(const NotImplemented& f) {
  return build_failure(f.extra, "NOT_IMPLEMENTED",
                       fmt::format("'{}' is not implemented", f.feature), /*remediation=*/{},
                       members("feature", f.feature));
}

Response build(const FeatureDisabled& f) {
  return build_failure(f.extra, "FEATURE_DISABLED",
                       fmt::format("Feature '{}' is not enabled", f.feature),
                       "Ask the operator to enable the feature flag for this client.",
                       members("feature", f.feature));
}

Response build(const TierTooLow& f) {
  const std::string reason = fmt::format("'{}' requires the {} tier", f.feature, f.required_tier);
  Response response = build_failure(
      with_detail(f.extra, "required_tier", f.required_tier), "FEATURE_DISABLED", reason,
      "Upgrade the plan, or call without this feature.", members("feature", f.feature));
  response.failure->kind = model::ErrorKind::tier_too_low;
  response.upgrade_hints.push_back({f.feature, f.required_tier, reason});
  return response;
}

}  // namespace

Response make_failure(const failures::General& failure) {
  return std::visit([](const auto& f) { return build(f); }, failure);
}

}  // namespace enfold::contract

// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/tool.h"

#include "enfold/contract/errors/failures.h"
#include "enfold/redact/error_text.h"

#include <fmt/core.h>

namespace enfold::server {
namespace {

namespace failures = contract::failures;

failures::Extra advice(const Error& error) {
  failures::Extra extra;
  if (!error.hint.empty()) extra.remediation.push_back(error.hint);
  return extra;
}

// Stack frames and code have no place in an answer, whoever put them there.
std::string words_of(const Error& error) {
  const std::string text =
      error.where.empty() ? error.message : fmt::format("{}: {}", error.where, error.message);
  return redact::scrub_error_text(text);
}

model::Response other(const Error& error, std::string code) {
  return contract::make_failure(
      failures::Other{.message = words_of(error), .code = std::move(code), .extra = advice(error)});
}

}  // namespace

model::Response failure_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid_input:
    case ErrorCode::budget_too_small:
      return contract::make_failure(
          failures::Validation{.message = words_of(error), .extra = advice(error)});
    case ErrorCode::not_found: return other(error, "NOT_FOUND");
    case ErrorCode::conflict: return other(error, "CONFLICT");
    case ErrorCode::limit_exceeded: return other(error, "RESOURCE_LIMIT_ERROR");
    case ErrorCode::unauthorized:
      return contract::make_failure(
          failures::Unauthorized{.message = words_of(error), .extra = advice(error)});
    case ErrorCode::timed_out: return other(error, "TIMEOUT");
    case ErrorCode::unavailable:
      return contract::make_failure(
          failures::Unavailable{.message = words_of(error), .extra = advice(error)});
    case ErrorCode::unsupported: return other(error, "NOT_IMPLEMENTED");
    case ErrorCode::cancelled: return other(error, "TIMEOUT");
    case ErrorCode::protocol_violation:
    case ErrorCode::internal: break;
  }
  return contract::make_failure(failures::Internal{.message = "The tool failed"});
}

Tool& Tool::title(std::string text) {
  spec_->title = std::move(text);
  return *this;
}

Tool& Tool::input_schema(json::Value schema) {
  spec_->input_schema = std::move(schema);
  return *this;
}

Tool& Tool::slow(std::chrono::milliseconds deadline) {
  spec_->deadline = deadline;
  return *this;
}

Tool& Tool::rate_limit(store::RateLimit limit) {
  spec_->rate_limit = limit;
  return *this;
}

Tool& Tool::behind_flag(std::string flag) {
  spec_->flag = std::move(flag);
  return *this;
}

Tool& Tool::needs_tier(model::Tier tier) {
  spec_->tier = tier;
  return *this;
}

Tool& Tool::version(std::string text) {
  spec_->version = std::move(text);
  return *this;
}

Tool& Tool::capability(std::string text) {
  spec_->capabilities.push_back(std::move(text));
  return *this;
}

Tool& Tool::policy(budget::Policy policy) {
  spec_->policy = std::move(policy);
  return *this;
}

Tool& Tool::annotate(std::string_view hint, bool value) {
  spec_->annotations.emplace_back(hint, value);
  return *this;
}

namespace detail {

Problem out_of_range(std::string place, json::View found) {
  std::string text(found.raw().substr(0, 40));
  return {std::move(place), "a number within the range of its type", "number " + text};
}

void settle(Trouble& trouble, Given& given) {
  if (auto* error = std::get_if<Error>(&trouble)) {
    given.response = failure_of(*error);
    const bool ours =
        error->code == ErrorCode::internal || error->code == ErrorCode::protocol_violation;
    if (ours) given.kept_back = fmt::format("{}: {}", error->where, error->message);
  } else if (auto* needs = std::get_if<NeedsInput>(&trouble)) {
    given.needs = std::move(*needs);
  } else {
    given.response = std::move(*std::get_if<model::Response>(&trouble));
    // A response that says of itself that it succeeded would be raw JSON by another way.
    if (model::succeeded(given.response)) {
      given.response = contract::make_failure(failures::Internal{.message = "The tool failed"});
    }
  }
}

}  // namespace detail
}  // namespace enfold::server

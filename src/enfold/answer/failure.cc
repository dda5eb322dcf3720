// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/answer.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/redact/redact.h"

#include <fmt/core.h>

namespace enfold::answer {
namespace {

namespace failures = contract::failures;

// The hint of the error as remediation.
failures::Extra advice(const Error& error) {
  failures::Extra extra;
  if (!error.hint.empty()) extra.remediation.push_back(error.hint);
  return extra;
}

// The place (Error::where) and the message, without stack frames and source code.
std::string message_of(const Error& error) {
  return redact::scrub_error_text(place_and_message(error));
}

model::Response failure_with_code(const Error& error, std::string code) {
  return contract::make_failure(failures::Other{
      .message = message_of(error), .code = std::move(code), .extra = advice(error)});
}

}  // namespace

std::string place_and_message(const Error& error) {
  return error.where.empty() ? error.message : fmt::format("{}: {}", error.where, error.message);
}

model::Response failure_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid_input:
    case ErrorCode::budget_too_small:
      return contract::make_failure(
          failures::Validation{.message = message_of(error), .extra = advice(error)});
    case ErrorCode::not_found: return failure_with_code(error, "NOT_FOUND");
    case ErrorCode::conflict: return failure_with_code(error, "CONFLICT");
    case ErrorCode::limit_exceeded: return failure_with_code(error, "RESOURCE_LIMIT_ERROR");
    case ErrorCode::unauthorized:
      return contract::make_failure(
          failures::Unauthorized{.message = message_of(error), .extra = advice(error)});
    case ErrorCode::timed_out: return failure_with_code(error, "TIMEOUT");
    case ErrorCode::unavailable:
      return contract::make_failure(
          failures::Unavailable{.message = message_of(error), .extra = advice(error)});
    case ErrorCode::unsupported: return failure_with_code(error, "NOT_IMPLEMENTED");
    // No contract has a code for `cancelled`, so it gets that of a timeout.
    case ErrorCode::cancelled: return failure_with_code(error, "TIMEOUT");
    case ErrorCode::protocol_violation:
    case ErrorCode::internal: break;
  }
  return contract::make_failure(failures::Internal{.message = "The tool failed"});
}

}  // namespace enfold::answer

// SPDX-License-Identifier: Apache-2.0
// Predefined failures: one struct per cause, so that all tools report it with the same code,
// message and remediation.
//   make_failure(failures::NotFound{.resource_type = "Task", .resource_id = "task-7"})
// `extra` adds details and replaces the remediation.
#pragma once

#include "enfold/model/response.h"

#include <variant>

namespace enfold::contract {

namespace failures {

/// What a caller may add to any failure.
struct Extra {
  std::vector<std::string> remediation{};  ///< empty: the default of the cause
  std::optional<json::Value> details{};
  std::string request_id{};
};

/// Any other cause. The default code is INTERNAL_ERROR; `type` overrides the type of the code.
struct Other {
  std::string message{};
  std::string code{};
  std::optional<model::ErrorType> type{};
  std::optional<json::Value> payload{};
  Extra extra{};
};

struct Validation {
  std::string message{};
  std::string field{};  ///< added to the details unless they have this member
  Extra extra{};
};
struct MissingRequired {
  std::string field{};
  Extra extra{};
};
struct InvalidFormat {
  std::string message{};
  std::string field{};
  Extra extra{};
};
/// `reason` is the message of decode_cursor's error.
struct InvalidCursor {
  std::string cursor{};
  std::string reason{};
  Extra extra{};
};
struct UnknownAction {
  std::string tool{};
  std::string action{};
  std::vector<std::string> allowed{};
  Extra extra{};
};
struct NotFound {
  std::string resource_type{};
  std::string resource_id{};
  std::string code{};  ///< such as SPEC_NOT_FOUND; empty: NOT_FOUND
  Extra extra{};
};
struct RateLimit {
  std::int64_t limit = 0;  ///< requests per `period`
  std::string period = "minute";
  std::int64_t retry_after = 60;  ///< seconds
  std::optional<std::int64_t> remaining{};
  std::optional<std::string> reset_at{};
  Extra extra{};
};
struct Unauthorized {
  std::string message{};
  Extra extra{};
};
struct Forbidden {
  std::string message{};
  std::string required_permission{};
  Extra extra{};
};
struct Conflict {
  std::string message{};
  std::string code{};  ///< such as DUPLICATE_ENTRY; empty: CONFLICT
  Extra extra{};
};
/// The remediation asks to report the request id, if there is one.
struct Internal {
  std::string message{};
  Extra extra{};
};
struct Unavailable {
  std::string message{};
  std::optional<std::int64_t> retry_after{};  ///< seconds
  Extra extra{};
};
struct Timeout {
  std::string what{};  ///< the subject of the message; empty: "The operation"
  std::optional<std::int64_t> seconds{};
  Extra extra{};
};
struct TooLarge {
  std::string what{};  ///< the subject of the message; empty: "The request"
  std::optional<std::int64_t> size{};
  std::optional<std::int64_t> limit{};
  std::string unit = "bytes";
  Extra extra{};
};
struct NotImplemented {
  std::string feature{};
  Extra extra{};
};
struct FeatureDisabled {
  std::string feature{};
  Extra extra{};
};
/// Same code as FeatureDisabled, but kind tier_too_low, with the tier in details and upgrade hint.
struct TierTooLow {
  std::string feature{};
  std::string required_tier{};
  Extra extra{};
};

using General =
    std::variant<Other, Validation, MissingRequired, InvalidFormat, InvalidCursor, UnknownAction,
                 NotFound, RateLimit, Unauthorized, Forbidden, Conflict, Internal, Unavailable,
                 Timeout, TooLarge, NotImplemented, FeatureDisabled, TierTooLow>;

}  // namespace failures

[[nodiscard]] model::Response make_failure(const failures::General& failure);

}  // namespace enfold::contract

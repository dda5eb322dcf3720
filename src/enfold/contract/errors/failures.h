// SPDX-License-Identifier: Apache-2.0
// Predefined failures: one struct per cause, so that all tools report the same cause with the same
// code, message and remediation.
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

/// Any other cause.
struct Other {
  std::string message{};
  std::string code{};                      ///< empty: INTERNAL_ERROR
  std::optional<model::ErrorType> type{};  ///< nullopt: the type of the code
  std::optional<json::Value> payload{};    ///< data beside the failure; nullopt: none
  Extra extra{};
};

struct Validation {
  std::string message{};
  std::string field{};  ///< member `field` of the details, unless `extra` sets it; empty: none
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
  std::int64_t retry_after = 60;            ///< seconds
  std::optional<std::int64_t> remaining{};  ///< requests left in this period; nullopt: not stated
  std::optional<std::string> reset_at{};    ///< time, written as given; nullopt: not stated
  Extra extra{};
};
struct Unauthorized {
  std::string message{};  ///< empty: a default
  Extra extra{};
};
struct Forbidden {
  std::string message{};              ///< empty: a default
  std::string required_permission{};  ///< empty: not stated
  Extra extra{};
};
struct Conflict {
  std::string message{};
  std::string code{};  ///< such as DUPLICATE_ENTRY; empty: CONFLICT
  Extra extra{};
};
/// The remediation asks to report the request id, if there is one.
struct Internal {
  std::string message{};  ///< empty: a default
  Extra extra{};
};
struct Unavailable {
  std::string message{};                      ///< empty: a default
  std::optional<std::int64_t> retry_after{};  ///< seconds; nullopt: not stated
  Extra extra{};
};
struct Timeout {
  std::string what{};                     ///< the subject of the message; empty: "The operation"
  std::optional<std::int64_t> seconds{};  ///< that the operation ran; nullopt: not stated
  Extra extra{};
};
struct TooLarge {
  std::string what{};  ///< the subject of the message; empty: "The request"
  /// The message states size and limit only if both are set; nullopt: not stated.
  std::optional<std::int64_t> size{};
  std::optional<std::int64_t> limit{};
  std::string unit = "bytes";  ///< of `size` and `limit`
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
/// Same code as FeatureDisabled, but kind tier_too_low; details and an upgrade hint name the tier.
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

/// The failed response for a cause.
[[nodiscard]] model::Response make_failure(const failures::General& failure);

}  // namespace enfold::contract

// SPDX-License-Identifier: Apache-2.0
// The error codes of all contracts, mapped to model::ErrorKind, and the warning codes of Enfold.
// Any string can be a code; the types are a closed set.
#pragma once

#include "enfold/model/response.h"

#include <span>

namespace enfold::contract {

/// When a failed call can succeed if it is repeated.
enum class Retry {
  no,            ///< not without a change of the call
  after_check,   ///< after the caller has checked the state of the resource
  after_delay,   ///< after the time that the failure names
  with_backoff,  ///< later, with increasing pauses
};

/// The retry advice for a failure of which only the type is known. Answers state the advice of the
/// kind, which is more exact (KindTraits::retry).
[[nodiscard]] Retry retry_of(model::ErrorType type);

/// The codes that the contracts use for a kind of failure if the source had no code, and what the
/// caller can do about the failure if the source does not say it.
struct KindTraits {
  model::ErrorKind kind;
  model::ErrorType type;          ///< response-v2 `error_type`
  std::string_view code;          ///< response-v2 `error_code`
  std::string_view scalpel_code;  ///< one of the twelve of scalpel-v1
  Retry retry;
  std::string_view remediation;  ///< one imperative sentence
};
[[nodiscard]] const KindTraits& traits(model::ErrorKind kind);

/// What the caller can do about a failure without a remediation of its own: one sentence, with the
/// time to wait if that is known and a retry can help.
[[nodiscard]] std::string remediation_for(const model::Failure& failure);

/// A known error code, with the type and the kind of failure that it means.
struct CodeEntry {
  std::string_view code;
  model::ErrorType type;
  model::ErrorKind kind;
};
/// All known codes, sorted: response-v2, scalpel-v1, gRPC, POSIX; numbers of JSON-RPC and HTTP.
[[nodiscard]] std::span<const CodeEntry> known_codes();
/// nullptr: not a known code.
[[nodiscard]] const CodeEntry* find_code(std::string_view code);

/// The kind of a code. An unknown code has the default kind of `type`; without a type, `missing` if
/// the code ends in _NOT_FOUND, else `tool_error`.
[[nodiscard]] model::ErrorKind kind_of(std::string_view code,
                                       std::optional<model::ErrorType> type = std::nullopt);

/// The type of a code. Unknown codes are `not_found` if they end in _NOT_FOUND, else `internal`.
[[nodiscard]] model::ErrorType type_of(std::string_view code);

/// Reads an `error_type`; `ai_provider` is accepted and means `unavailable`. nullopt: no type.
[[nodiscard]] std::optional<model::ErrorType> read_type(std::string_view text);

/// A warning code of Enfold. Upstreams may send other codes; Enfold passes them through.
struct WarningCode {
  std::string_view code;
  model::Severity severity;  ///< the default of warnings with this code
  std::string_view description;
};

/// Sorted by code.
[[nodiscard]] std::span<const WarningCode> known_warnings();
/// nullptr: not a code of Enfold.
[[nodiscard]] const WarningCode* find_warning(std::string_view code);

/// Uses the default severity of the code; an unknown code gets `warning`.
[[nodiscard]] model::Warning make_warning(std::string_view code, std::string message,
                                          std::optional<json::Value> context = std::nullopt);

}  // namespace enfold::contract

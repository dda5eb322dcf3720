// SPDX-License-Identifier: Apache-2.0
// Finds the kind of a failure by tables of evidence: codes of APIs, HTTP status, SQLSTATE, errno
// and exception names, typical words. Without evidence the kind is ErrorKind::tool_error.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract {

/// The kind that a known code means, or that the words of a code name (channel_not_found,
/// ExpiredToken); nullopt: none.
[[nodiscard]] std::optional<model::ErrorKind> kind_of_code(std::string_view code);

/// Whether kind_of_code finds a kind and the code is not general, as 400 and internal_error are.
[[nodiscard]] bool names_kind(std::string_view code);

/// What is known about a failure.
struct FailureEvidence {
  std::string_view code;         ///< as in the source; empty: none
  std::string_view status;       ///< HTTP status as text, or name of a gRPC status; empty: none
  std::string_view message;      ///< of any length; the lines that name the failure are read
  std::string_view reason = {};  ///< a code beside the first one, such as `responseTooLarge`
};
struct KindReading {
  model::ErrorKind kind = model::ErrorKind::tool_error;
  std::string reason;  ///< the evidence, for people
};
/// The first of these that names a kind decides: the code, the status, the message. A general code
/// or status (400, -32603, 500) decides only if the message names no kind. Words in the message
/// that name a quota, a plan, a full disk or a disabled feature override any number. A `reason`
/// overrides a code that is an HTTP status.
[[nodiscard]] KindReading kind_of_failure(const FailureEvidence& evidence);

/// Seconds to wait that a member names: Retry-After, retry_in_seconds, retryAfterMs. `text` is its
/// value, which may be a duration such as "12s". nullopt: the member is about something else, or
/// its value is no number.
[[nodiscard]] std::optional<model::Number> waiting_time(std::string_view name,
                                                        std::string_view text);

/// Seconds to wait that a message names: "retry after 17", "available in 2 minutes"; nullopt: none.
[[nodiscard]] std::optional<model::Number> retry_after_of(std::string_view message);

}  // namespace enfold::contract

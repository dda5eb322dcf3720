// SPDX-License-Identifier: Apache-2.0
// Reading data that follows no contract: JSON inside text, signs of failure.
#pragma once

#include "enfold/contract/envelopes/contracts.h"

#include <optional>

namespace enfold::contract::detail {

/// Parses a text that is a JSON object or array and nothing else.
[[nodiscard]] std::optional<json::Value> parse_json_text(json::View text, const Limits& limits);

/// The content blocks of an MCP result; null if there are none. A `content` that is no array is
/// returned as an array of one block.
[[nodiscard]] json::Value content_of(json::View result);

/// `success: false`, or an `error` that is not null, false, 0 or empty.
[[nodiscard]] bool says_failure(json::View object);

/// A failure read from the members that tools commonly use for one, and the other members.
struct FailureWithRest {
  model::Failure failure;  ///< its message is empty if none was found
  std::optional<json::Value> rest;
};
[[nodiscard]] FailureWithRest failure_from_members(json::View object);

/// Reads code and message of an `error` object; the other members become details.
[[nodiscard]] model::Failure failure_from_error(json::View error);

/// Sets the kind of the failure, and a default message if it has none.
[[nodiscard]] model::Failure with_kind_and_message(model::Failure failure);

/// Adds the warning POSSIBLE_FAILURE to a success whose data or text reads like a failure.
void warn_if_it_reads_like_failure(model::Response& response);

/// Merges the answer `around` into the envelope found inside it: blocks, metadata, and a failure.
void merge_outer(Reading& envelope, Reading around);

}  // namespace enfold::contract::detail

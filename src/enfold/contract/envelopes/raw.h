// SPDX-License-Identifier: Apache-2.0
// What is known about data that follows no contract: JSON inside text, signs of failure.
#pragma once

#include "enfold/contract/envelopes/contracts.h"

#include <optional>

namespace enfold::contract::detail {

/// The document inside a text, when the text is a JSON object or array and nothing else.
[[nodiscard]] std::optional<json::Value> parse_json_text(json::View text, const Limits& limits);

/// The blocks of an MCP result: its `content`, null when there is none. What a server wrote in
/// place of an array is an array of one block, so that nothing of it is lost.
[[nodiscard]] json::Value content_of(json::View result);

/// `success: false`, or an `error` that is not null, false, 0 or empty.
[[nodiscard]] bool says_failure(json::View object);

/// A failure in the members that tools commonly use for one, and what they say beyond it.
struct FoundFailure {
  model::Failure failure;  ///< without a message when none was found
  std::optional<json::Value> rest;
};
[[nodiscard]] FoundFailure failure_from_members(json::View object);

/// code and message of an `error` object, all else as details.
[[nodiscard]] model::Failure failure_from_error(json::View error);

/// The failure with what has to be there in any case: a kind, and words.
[[nodiscard]] model::Failure completed(model::Failure failure);

/// A success of data without an envelope, with a warning when it reads like a failure.
void warn_of_possible_failure(model::Response& response);

/// An envelope inside the answer `around`: its blocks and members go on, and so does its failure.
void put_inside(Reading& envelope, Reading around);

}  // namespace enfold::contract::detail

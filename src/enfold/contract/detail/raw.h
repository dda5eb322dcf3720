// SPDX-License-Identifier: Apache-2.0
// What is known about data that follows no contract: JSON inside text, signs of failure.
#pragma once

#include "enfold/contract/detail/contracts.h"

#include <optional>

namespace enfold::contract::detail {

/// The document inside a text, when the text is a JSON object or array and nothing else.
[[nodiscard]] std::optional<json::Value> parse_json_text(json::View text, const Limits& limits);

/// Code, message and details from the members that tools commonly use for them; nullopt when
/// there is no `error`, `message`, `code` or `success: false` to go by.
[[nodiscard]] std::optional<model::Failure> failure_from_members(json::View object);

/// Decides the outcome of data without an envelope. It is a success, with a warning when it reads
/// like a failure; only where the caller asked for it a root `success: false` or `error` decides.
void decide_raw_outcome(model::Response& response, ReadContext& context);

}  // namespace enfold::contract::detail

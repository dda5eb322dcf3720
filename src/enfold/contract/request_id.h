// SPDX-License-Identifier: Apache-2.0
// Request ids: made when nobody gave one, otherwise kept as they came.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace enfold::contract {

/// "req_" and 12 hex digits. Randomness is the caller's.
[[nodiscard]] std::string make_request_id(std::span<const std::uint8_t, 6> random,
                                          std::string_view prefix = "req");

/// Letters, digits, `_` and `-`, at least one: what response-v2 writes without a second thought.
[[nodiscard]] bool is_valid_request_id(std::string_view id);

/// The first of request_id, requestId, correlation_id, correlationId that holds text, trimmed.
/// Empty when there is none.
[[nodiscard]] std::string request_id_from(json::View context);

}  // namespace enfold::contract

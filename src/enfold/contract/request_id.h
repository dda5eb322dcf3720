// SPDX-License-Identifier: Apache-2.0
// Request ids: generated if the caller gave none, else passed through.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace enfold::contract {

/// "req_" and 12 hex digits of the given random bytes.
[[nodiscard]] std::string make_request_id(std::span<const std::uint8_t, 6> random,
                                          std::string_view prefix = "req");

/// The first of request_id, requestId, correlation_id, correlationId that is a non-empty text,
/// trimmed; else empty.
[[nodiscard]] std::string request_id_from(json::View context);

}  // namespace enfold::contract

// SPDX-License-Identifier: Apache-2.0
// Pagination cursors: a compact JSON object with "version":1, in padded URL-safe Base64.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract {

/// `position` must be an object; a member `version` in it is replaced. Non-ASCII is escaped.
[[nodiscard]] std::string encode_cursor(json::View position);
[[nodiscard]] std::string encode_offset_cursor(std::string_view offset_number);
[[nodiscard]] std::string encode_text_cursor(std::string_view member, std::string_view text);

/// Strict. The error's message begins with the reason: empty, decode_failed or not_a_dict.
/// Versionless cursors are accepted.
[[nodiscard]] Result<json::Value> decode_cursor(std::string_view cursor);

/// Default 100, clamped to 1…1000.
[[nodiscard]] std::int64_t clamp_page_size(std::optional<std::int64_t> requested,
                                           std::int64_t standard = 100, std::int64_t most = 1000);

}  // namespace enfold::contract

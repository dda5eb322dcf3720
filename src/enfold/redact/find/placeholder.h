// SPDX-License-Identifier: Apache-2.0
// Placeholders for secrets: `****`, `<token>`, `${TOKEN}`, `your-api-key-here`.
#pragma once

#include <string_view>

namespace enfold::redact::detail {

[[nodiscard]] bool is_placeholder(std::string_view value);

/// `invalid`, `integer`, `enabled`: words that describe a secret.
[[nodiscard]] bool is_state(std::string_view value);

/// A run of one filler (`xxxx`, `0000`, `****`), as in documentation.
[[nodiscard]] bool is_filler(std::string_view value);

/// A redaction marker at the start.
[[nodiscard]] bool starts_with_marker(std::string_view value);

}  // namespace enfold::redact::detail

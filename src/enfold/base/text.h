// SPDX-License-Identifier: Apache-2.0
// Small things about text: encodings of bytes, case, blanks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace enfold {

[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> bytes);

/// URL-safe alphabet with padding (RFC 4648 section 5).
[[nodiscard]] std::string to_base64url(std::string_view bytes);

/// Strict: refuses foreign characters, wrong padding and non-zero trailing bits.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

/// Standard alphabet, otherwise as strict.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

[[nodiscard]] std::string to_lower(std::string_view ascii);

/// Without blanks at either end.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

}  // namespace enfold

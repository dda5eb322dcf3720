// SPDX-License-Identifier: Apache-2.0
// Validating, encoding and counting UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::utf8 {

/// Offset of the first byte that is not part of well-formed UTF-8; nullopt if there is none.
/// Not vectorized: callers check with simdjson first and use this to locate the error.
[[nodiscard]] std::optional<std::size_t> first_invalid(std::string_view bytes);

/// Writes the encoding of a code point to `to`, at most four bytes, and returns its end. Surrogates
/// are encoded as three bytes (WTF-8), so that an escaped lone surrogate has one stable decoded
/// form.
char* encode(std::uint32_t code_point, char* to);
void append(std::string& out, std::uint32_t code_point);

/// Code points in well-formed UTF-8.
[[nodiscard]] std::size_t length(std::string_view text);

/// Longest prefix of at most `max_bytes` that does not split a code point.
[[nodiscard]] std::string_view prefix(std::string_view text, std::size_t max_bytes);

/// The text, or such a prefix followed by "…".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t max_bytes);

/// Reads the code point at `text[at]` and advances `at`; each malformed byte is read as U+FFFD.
[[nodiscard]] std::uint32_t next(std::string_view text, std::size_t& at);

}  // namespace enfold::utf8

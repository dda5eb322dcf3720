// SPDX-License-Identifier: Apache-2.0
// Text: encodings of bytes, ASCII character classes, case, white space, suggestions for mistyped
// names, UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace enfold {

[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> bytes);

/// URL-safe alphabet with padding (RFC 4648 section 5).
[[nodiscard]] std::string to_base64url(std::string_view bytes);

/// nullopt for characters outside the alphabet, wrong or no padding and non-zero trailing bits.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

/// Standard alphabet (RFC 4648 section 4), as strict as from_base64url.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }

/// Both functions treat ASCII letters only: to_lower() keeps other bytes, equals_ignoring_case()
/// compares them unchanged.
[[nodiscard]] std::string to_lower(std::string_view text);
[[nodiscard]] inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

/// Replaces %XX by the byte; nullopt if two hex digits do not follow a '%'.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

/// Replaces every byte by %XX that is neither alphanumeric nor in `kept`.
[[nodiscard]] std::string percent_encode(std::string_view text, std::string_view kept = "-._~");

/// The text without the characters of `blanks` at either end.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

/// The known name nearest to `typed` by edit distance, ignoring case. A name is near if at most a
/// third of the typed bytes, or one byte, must be edited, or if it begins with `typed` and that has
/// three bytes or more. Empty if no name is near, or `typed` is empty or has more than 64 bytes.
[[nodiscard]] std::string nearest_name(std::string_view typed, std::span<const std::string> known);

/// "did you mean X?", or `otherwise` if no name is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::span<const std::string> known,
                                       const std::string& otherwise);

namespace utf8 {

/// Offset of the first byte that is not part of well-formed UTF-8; nullopt if there is none.
/// Not vectorized: the JSON parser itself checks 32 bytes at a time, and calls this function only
/// to locate an error.
[[nodiscard]] std::optional<std::size_t> first_invalid(std::string_view bytes);

/// Writes the encoding of a code point, at most four bytes, to `to` and returns where it ends.
/// Surrogates are encoded as three bytes (WTF-8), so that an escaped lone surrogate has one stable
/// decoded form.
char* encode(std::uint32_t code_point, char* to);
/// Appends the same encoding to `out`.
void append(std::string& out, std::uint32_t code_point);

/// Number of code points in well-formed UTF-8.
[[nodiscard]] std::size_t length(std::string_view text);

/// Longest prefix of at most `max_bytes` that splits no visible character (`whole_characters`).
[[nodiscard]] std::string_view prefix(std::string_view text, std::size_t max_bytes);

/// The text if it has at most `max_bytes`, else its `prefix` and "…", which has three bytes.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t max_bytes);

/// Reads the code point at `at`, which is below the size, and moves `at` to the next one. A
/// malformed byte is read as U+FFFD.
[[nodiscard]] std::uint32_t next(std::string_view text, std::size_t& at);

}  // namespace utf8

}  // namespace enfold

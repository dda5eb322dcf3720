// SPDX-License-Identifier: Apache-2.0
// What a value looks like: a path, a version, a sentence, a random string.
#pragma once

#include <cstddef>
#include <string_view>

namespace enfold::redact::detail {

inline constexpr std::size_t kUuidSize = 36;

[[nodiscard]] bool contains(std::string_view text, char c);

[[nodiscard]] bool is_path(std::string_view value);
[[nodiscard]] bool is_url(std::string_view value);
[[nodiscard]] bool is_file_name(std::string_view value);
[[nodiscard]] bool is_date(std::string_view value);
[[nodiscard]] bool is_uuid(std::string_view value);
/// `^1.2.3`, `>=2.1 <3`, `2.1.*`
[[nodiscard]] bool is_version(std::string_view value);
/// `sha512-…`, `1.2@sha256:…`
[[nodiscard]] bool is_digest(std::string_view value);
/// Calls, subscripts, generics and member accesses in code. The value must not be empty.
[[nodiscard]] bool is_expression(std::string_view value);
/// `vault:…`, `arn:…`, `op://…`, a path: the place of a secret, not the secret.
[[nodiscard]] bool is_location(std::string_view value);
/// Labels and sentences: `Forgot your password?`, `Passwort`, `is too short`.
[[nodiscard]] bool is_human_text(std::string_view value);
/// Words and small numbers: `same-origin`, `prod-db-2024`, `oauth2_client_id`, `addressLine1`.
[[nodiscard]] bool is_identifier(std::string_view value);
/// Whether one of several parts between separators is a word: `oauth2_client_id`,
/// `src/app1/main.rs`.
[[nodiscard]] bool has_words(std::string_view value);

[[nodiscard]] bool has_digit_and_letter(std::string_view value);
/// Capitals after the first letter, and lower case: not an ordinary word.
[[nodiscard]] bool is_mixed_case(std::string_view value);
/// Whether the value has a byte that words, names and paths in ASCII do not have.
[[nodiscard]] bool has_symbol(std::string_view value);
/// Whether the value has a run of letters and digits that no words make: `a1B2c3D4e5F6`. For what
/// placeholders enclose.
[[nodiscard]] bool has_random_run(std::string_view value);
/// 16 bytes or more without blanks: with a digit, in mixed case, or without `_` and `-`.
[[nodiscard]] bool is_long_opaque(std::string_view value);
/// 6 bytes or more without blanks that are not an identifier (is_identifier) and look generated:
/// with a digit, in mixed case, with a `=` at the end, or 15 bytes or more. For API keys, tokens
/// and other generated secrets.
[[nodiscard]] bool is_opaque(std::string_view value);

}  // namespace enfold::redact::detail

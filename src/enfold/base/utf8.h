// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::utf8 {

/// Offset of the first byte that is not part of well-formed UTF-8; nullopt when all is.
/// Plain and exact: callers use a vectorised check first and come here for the place.
[[nodiscard]] std::optional<std::size_t> first_invalid(std::string_view bytes);

/// Appends the encoding of a code point. Surrogates are encoded as three bytes (WTF-8), so that
/// an escaped lone surrogate has one stable decoded form.
void append(std::string& out, std::uint32_t code_point);

/// Code points in well-formed UTF-8.
[[nodiscard]] std::size_t length(std::string_view text);

/// Longest prefix of at most `max_bytes` that does not split a code point.
[[nodiscard]] std::string_view prefix(std::string_view text, std::size_t max_bytes);

/// One code point at `text[at]`, advancing `at`; malformed bytes come out one by one as U+FFFD.
[[nodiscard]] std::uint32_t next(std::string_view text, std::size_t& at);

}  // namespace enfold::utf8

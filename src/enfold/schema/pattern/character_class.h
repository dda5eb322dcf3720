// SPDX-License-Identifier: Apache-2.0
// Translates named character classes of ECMA-262 to RE2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::schema::detail {

/// The content of brackets for `\s` or `\S`: in ECMA-262 these include Unicode spaces, line
/// separators and the byte order mark, in RE2 only ASCII.
[[nodiscard]] std::string_view space_class(bool negated);

/// Translates the inside of `\p{...}` to RE2 syntax for use inside brackets; nullopt if RE2 does
/// not know the property.
[[nodiscard]] std::optional<std::string> property_class(std::string_view name, bool negated);

/// Appends `\x{2f}`, which is a literal everywhere in RE2 syntax.
void append_code_point(std::string& out, std::uint32_t code_point);

}  // namespace enfold::schema::detail

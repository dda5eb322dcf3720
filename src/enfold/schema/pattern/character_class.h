// SPDX-License-Identifier: Apache-2.0
// Character classes by name: ECMA-262 names on one side, RE2's on the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::schema::detail {

/// What may stand inside brackets for `\s` (or `\S`): ECMA-262 counts the Unicode spaces, the line
/// separators and the byte order mark, RE2 only ASCII.
[[nodiscard]] std::string_view space_class(bool negated);

/// The inside of `\p{...}` as something RE2 accepts inside brackets; nullopt when RE2 does not
/// know the property.
[[nodiscard]] std::optional<std::string> property_class(std::string_view name, bool negated);

/// `\x{2f}`: a code point that means itself everywhere in RE2's syntax.
void append_code_point(std::string& out, std::uint32_t code_point);

}  // namespace enfold::schema::detail

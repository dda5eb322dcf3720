// SPDX-License-Identifier: Apache-2.0
// Finds source code in one line of prose, for `without_source`.
#pragma once

#include <cstddef>
#include <string_view>

namespace enfold::contract::detail {

/// The caller of find_source replaces each byte of a quoted span by this byte.
inline constexpr char kBlank = '\x01';

/// Where code begins in a line whose quoted spans were blanked; npos if the line holds none. Code
/// has what prose does not have: `{`, assignments, calls with arguments, operators, tags, or a
/// keyword before an identifier.
[[nodiscard]] std::size_t find_source(std::string_view line);

}  // namespace enfold::contract::detail

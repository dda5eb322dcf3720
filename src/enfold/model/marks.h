// SPDX-License-Identifier: Apache-2.0
// The marks in a cut payload that say where items or members are missing, and how many.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::model {

/// The key, in quotes, of the member that says how many members of an object are missing. An object
/// that itself has a member of this name is shown whole or not at all.
inline constexpr std::string_view kMissingKey = "\"…\"";

/// …[+3 items]: the text that is in an array in place of `count` missing items.
[[nodiscard]] std::string items_mark(std::size_t count);

/// +3 members: the value of the member kMissingKey, the last one of its object.
[[nodiscard]] std::string members_mark(std::size_t count);

/// The number of items of a list in a cut payload, without the marks among them.
[[nodiscard]] std::size_t count_items(json::View list);

}  // namespace enfold::model

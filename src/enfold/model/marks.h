// SPDX-License-Identifier: Apache-2.0
// The marks that stand in a cut payload where items or members are missing.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::model {

/// The key of the member that counts missing members, quoted. An object with such a key of its own
/// is shown whole or not at all.
inline constexpr std::string_view kMissingKey = "\"…\"";

/// …[+3 items], where items of an array are missing.
[[nodiscard]] std::string items_mark(std::size_t count);

/// +3 members, the value of the last member of an object.
[[nodiscard]] std::string members_mark(std::size_t count);

/// The number of an items_mark; nullopt: the item is none.
[[nodiscard]] std::optional<std::size_t> marked_items(json::View item);

/// The items of a list of a cut payload, without the marks among them.
[[nodiscard]] std::size_t records_in(json::View list);

/// Whether the payload was cut before: it has marks in its lists.
[[nodiscard]] bool has_item_marks(json::View payload);
/// Counts items `from` to `end` - 1 of a list of such a payload, each mark as the items that it
/// says are missing.
[[nodiscard]] std::size_t count_with_marks(json::View list, std::size_t from, std::size_t end);

}  // namespace enfold::model

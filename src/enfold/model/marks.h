// SPDX-License-Identifier: Apache-2.0
// The marks that stand in a cut payload where items or members are missing.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
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

/// The items of a list of a cut payload, without the marks among them.
[[nodiscard]] std::size_t records_in(json::View list);

}  // namespace enfold::model

// SPDX-License-Identifier: Apache-2.0
// The names that peers give to requests and to progress: a string or an integer, kept apart on
// every way, because 1 and "1" are two ids.
#pragma once

#include "enfold/json/write.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace enfold::mcp {

using Id = std::variant<std::int64_t, std::string>;

/// nullopt for everything else: null, fractions, integers beyond 64 bits.
[[nodiscard]] std::optional<Id> read_id(json::View value);
void write_id(json::Writer& writer, const Id& id);

/// As it stands on the wire: 7 or "7".
[[nodiscard]] std::string text_of(const Id& id);

}  // namespace enfold::mcp

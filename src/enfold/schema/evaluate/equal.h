// SPDX-License-Identifier: Apache-2.0
// Equality of const, enum and uniqueItems: like json::equal, but numbers are equal by value (1 and
// 1.0). And a matching hash.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>

namespace enfold::schema::detail {

[[nodiscard]] bool schema_equal(json::View a, json::View b);

/// Equal values have equal hashes.
[[nodiscard]] std::uint64_t schema_hash(json::View value);

}  // namespace enfold::schema::detail

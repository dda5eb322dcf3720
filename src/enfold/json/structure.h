// SPDX-License-Identifier: Apache-2.0
// Equality of arrays (item by item) and objects (by the members that `find` returns).
#pragma once

#include "enfold/json/document.h"

#include <string>
#include <vector>

namespace enfold::json::detail {

struct Entry {
  std::string key;
  View value;
};

/// Sorted by key; of equal keys the last.
[[nodiscard]] std::vector<Entry> effective_members(View object);

/// `scalars` compares two scalars of the same kind whose texts differ.
[[nodiscard]] bool equal_with(View a, View b, bool (*scalars)(View, View));

/// Strings by their decoded text.
[[nodiscard]] bool equal_strings(View a, View b);

}  // namespace enfold::json::detail

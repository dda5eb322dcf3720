// SPDX-License-Identifier: Apache-2.0
// The differences between two JSON values, as a list of changes that can be applied.
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::json {

struct Change {
  std::string pointer;
  std::optional<Value> before;  ///< nullopt: the place does not exist
  std::optional<Value> after;
  friend bool operator==(const Change&, const Change&) = default;
};

/// Descends into objects; arrays of equal length are compared item by item, others as a whole.
/// Empty when the values are equal.
[[nodiscard]] std::vector<Change> diff(View from, View to);

/// `apply(a, diff(a, b)) == b`. A change whose pointer does not exist is skipped.
[[nodiscard]] Value apply(View from, const std::vector<Change>& changes);

}  // namespace enfold::json

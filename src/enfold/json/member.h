// SPDX-License-Identifier: Apache-2.0
// Reads a member of an object whose type is not known. A member of another type counts as absent.
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::json {

[[nodiscard]] inline std::optional<std::string> string_member(View object, std::string_view key) {
  const std::optional<View> member = object.find(key);
  if (!member || !member->is_string()) return std::nullopt;
  return member->string();
}

}  // namespace enfold::json

// SPDX-License-Identifier: Apache-2.0
// Numbers in messages for people.
#pragma once

#include <cstddef>
#include <string>

namespace enfold {

/// The digits in groups of three: 12345 → 12,345.
[[nodiscard]] inline std::string grouped(std::size_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace enfold

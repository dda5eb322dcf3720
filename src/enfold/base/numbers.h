// SPDX-License-Identifier: Apache-2.0
// Numbers in messages for people.
#pragma once

#include <cstddef>
#include <string>

namespace enfold {

/// The digits in groups of three: 12345 → 12,345.
[[nodiscard]] inline std::string grouped(std::size_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0) text += ',';
    text += digits[at];
  }
  return text;
}

}  // namespace enfold

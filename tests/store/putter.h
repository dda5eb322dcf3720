// SPDX-License-Identifier: Apache-2.0
// What store_putter puts: the tests that kill it can work out every answer again.
#pragma once

#include <string>

namespace enfold::store::testing {

inline std::string content_of(int seed, int index) {
  const std::string name = std::to_string(seed) + "/" + std::to_string(index);
  std::string bytes = name;
  const auto size = static_cast<std::size_t>((index * 7919 + seed * 104'729) % 20'000);
  while (bytes.size() < size) bytes += " item " + std::to_string(bytes.size()) + " of " + name;
  return bytes;
}

}  // namespace enfold::store::testing

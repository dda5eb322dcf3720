// SPDX-License-Identifier: Apache-2.0
// Limits for everything that reads untrusted input.
#pragma once

#include <cstddef>
#include <cstdint>

namespace enfold {

struct Limits {
  std::size_t max_bytes = std::size_t{64} << 20;
  std::uint32_t max_depth = 512;
  std::size_t max_elements = 16'000'000;      ///< containers, items and members of one document
  std::size_t max_containers = 4'194'304;     ///< arrays and objects; each takes 16 bytes of memory
  std::size_t wide_object_members = 100'000;  ///< an object with more is accepted with a warning
  std::uint64_t schema_steps = 20'000'000;    ///< keyword evaluations of one validation
};

/// Bytes of the largest document that the 32-bit offsets of the JSON index can address, less a
/// margin.
inline constexpr std::size_t kLargestDocument = (std::size_t{1} << 32) - 128;

}  // namespace enfold

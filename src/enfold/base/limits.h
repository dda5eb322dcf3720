// SPDX-License-Identifier: Apache-2.0
// Limits for everything that reads untrusted input. Reading or validating input beyond a limit
// fails with `limit_exceeded`; only an object beyond `wide_object_members` is accepted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace enfold {

struct Limits {
  std::size_t max_bytes = std::size_t{64} << 20;  ///< of one document
  std::uint32_t max_depth = 512;                  ///< arrays and objects inside each other
  std::size_t max_elements = 16'000'000;          ///< values of one document, containers included
  std::size_t max_containers = 4'194'304;         ///< arrays and objects of one document
  std::size_t wide_object_members = 100'000;      ///< an object with more members gets a warning
  std::uint64_t schema_steps = 20'000'000;        ///< keyword evaluations of one validation
};

/// Bytes of the largest document: the JSON index has 32-bit offsets, also into the padding after
/// the document. A larger Limits::max_bytes has no effect.
inline constexpr std::size_t kLargestDocument = (std::size_t{1} << 32) - 128;

}  // namespace enfold

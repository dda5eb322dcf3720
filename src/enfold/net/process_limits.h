// SPDX-License-Identifier: Apache-2.0
// Limits of a child process.
#pragma once

#include <cstdint>
#include <optional>

namespace enfold::net {

/// What a child may not do. The defaults change nothing.
struct ProcessLimits {
  bool no_new_privileges = false;  ///< set-user-ID programs such as sudo gain no rights
  bool no_core_files = false;
  std::optional<std::uint64_t> open_files;    ///< RLIMIT_NOFILE
  std::optional<std::uint64_t> memory_bytes;  ///< RLIMIT_AS, the size of its address space
  friend bool operator==(const ProcessLimits&, const ProcessLimits&) = default;
};

}  // namespace enfold::net

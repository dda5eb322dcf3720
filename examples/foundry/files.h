// SPDX-License-Identifier: Apache-2.0
// Files that several processes share: read and written whole, and locked while they change.
#pragma once

#include "enfold/base/result.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <system_error>

namespace foundry {

using enfold::Result;
using enfold::Status;

/// nullopt: the file cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& file);

inline constexpr mode_t kReadableByAll = 0644;
inline constexpr mode_t kReadableByOwner = 0600;

/// Writes a file beside it, syncs it and renames it: after a crash there is the old file or the new
/// one. Callers hold a lock, so two never write the same file at once.
[[nodiscard]] Status write_file(const std::filesystem::path& file, std::string_view text,
                                mode_t mode = kReadableByAll);

/// A lock of the operating system (flock). It ends with the process that holds it, however that
/// ends, so no lock is ever left behind.
class FileLock {
 public:
  enum class Kind { shared, exclusive };

  /// nullopt: others still held it after `timeout`.
  [[nodiscard]] static Result<std::optional<FileLock>> acquire(const std::filesystem::path& file,
                                                               Kind kind,
                                                               std::chrono::milliseconds timeout);
  FileLock(FileLock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

[[nodiscard]] inline std::error_code last_error() { return {errno, std::generic_category()}; }

/// `unavailable`, with the reason of the operating system.
[[nodiscard]] tl::unexpected<enfold::Error> system_error(std::string_view what,
                                                         const std::filesystem::path& where,
                                                         std::error_code why = last_error());

}  // namespace foundry

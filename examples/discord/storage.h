// SPDX-License-Identifier: Apache-2.0
// The part of a workspace that changes, in one JSON file. The file is replaced, never written over,
// so it is whole at any moment: after kill -9, after a power failure, and for another process that
// works with the same file.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/file_descriptor.h"
#include "workspace_file.h"

#include <filesystem>
#include <optional>
#include <sys/stat.h>

namespace discord {

/// The whole text of a file; nullopt when there is none.
[[nodiscard]] enfold::Result<std::optional<std::string>> read_file(
    const std::filesystem::path& file);

class Storage {
 public:
  explicit Storage(std::filesystem::path file) : file_(std::move(file)) {}

  /// Keeps other processes from changing the file until it is closed.
  [[nodiscard]] enfold::Result<enfold::net::FileDescriptor> lock() const;
  /// nullopt: nobody has written since the last load() or save(), or there is no file yet.
  [[nodiscard]] enfold::Result<std::optional<State>> load();
  /// On disk when it returns.
  [[nodiscard]] enfold::Status save(const State& state);

 private:
  /// Every save makes a new file, so inode and time tell one version from the next.
  struct Version {
    ino_t inode = 0;
    std::int64_t nanoseconds = 0;
    bool operator==(const Version&) const = default;
  };
  [[nodiscard]] Version version() const;

  std::filesystem::path file_;
  Version seen_;
};

}  // namespace discord

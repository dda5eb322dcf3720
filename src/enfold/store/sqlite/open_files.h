// SPDX-License-Identifier: Apache-2.0
// The SQLite files that this process has open. Closing any descriptor of a file releases all locks
// that the process holds on it (fcntl(2)). Another process would then believe that it is the last
// one and delete the log that is in use here. So Enfold itself never opens and closes a file that
// SQLite has open.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>

namespace enfold::store::detail {

/// Device and inode.
using FileId = std::pair<dev_t, ino_t>;

/// Registers a file as open. Must be constructed before SQLite opens the file, and destroyed after
/// SQLite has closed it.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

 private:
  std::optional<FileId> id_;  ///< nullopt: there was no such file
};

/// Runs `use` unless the file is registered as open; then it returns false. No file can be
/// registered while `use` runs.
[[nodiscard]] bool use_if_closed(const std::string& path, const std::function<void()>& use);

}  // namespace enfold::store::detail

// SPDX-License-Identifier: Apache-2.0
// The SQLite files that this process has open. Closing any descriptor of a file gives up all the
// locks that the process has on it (fcntl(2)); another process then takes itself for the last one
// and deletes the log that is in use here. So nobody opens and closes by hand what is held.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>

namespace enfold::store::detail {

using FileId = std::pair<dev_t, ino_t>;

/// Made before SQLite opens the file, gone after SQLite has closed it.
class HeldFile {
 public:
  explicit HeldFile(const std::string& path);
  ~HeldFile();
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;

 private:
  std::optional<FileId> id_;
};

/// Runs `use` while no file can become held. False, and nothing is run, when this one is.
[[nodiscard]] bool use_by_hand(const std::string& path, const std::function<void()>& use);

}  // namespace enfold::store::detail

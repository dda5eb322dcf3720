// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/open_files.h"

#include <mutex>
#include <set>
#include <sys/stat.h>

namespace enfold::store::detail {
namespace {

struct Registry {
  std::mutex mutex;
  std::multiset<FileId> files;  // one element for each connection
};

Registry& registry() {
  static Registry all;
  return all;
}

std::optional<FileId> id_of(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileId{found.st_dev, found.st_ino};
}

}  // namespace

OpenFile::OpenFile(const std::string& path) {
  const std::lock_guard lock(registry().mutex);
  id_ = id_of(path);
  if (id_) registry().files.insert(*id_);
}

OpenFile::~OpenFile() {
  if (!id_) return;
  const std::lock_guard lock(registry().mutex);
  registry().files.erase(registry().files.find(*id_));
}

bool use_if_closed(const std::string& path, const std::function<void()>& use) {
  const std::lock_guard lock(registry().mutex);
  const std::optional<FileId> id = id_of(path);
  if (id && registry().files.contains(*id)) return false;
  use();
  return true;
}

}  // namespace enfold::store::detail

// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/held_files.h"

#include <mutex>
#include <set>
#include <sys/stat.h>

namespace enfold::store::detail {
namespace {

struct Held {
  std::mutex mutex;
  std::multiset<FileId> files;  // once for each connection
};

Held& held() {
  static Held all;
  return all;
}

std::optional<FileId> id_of(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileId{found.st_dev, found.st_ino};
}

}  // namespace

HeldFile::HeldFile(const std::string& path) {
  const std::lock_guard lock(held().mutex);
  id_ = id_of(path);
  if (id_) held().files.insert(*id_);
}

HeldFile::~HeldFile() {
  if (!id_) return;
  const std::lock_guard lock(held().mutex);
  held().files.erase(held().files.find(*id_));
}

bool use_by_hand(const std::string& path, const std::function<void()>& use) {
  const std::lock_guard lock(held().mutex);
  const std::optional<FileId> id = id_of(path);
  if (id && held().files.contains(*id)) return false;
  use();
  return true;
}

}  // namespace enfold::store::detail

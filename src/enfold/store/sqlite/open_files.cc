// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/open_files.h"

#include "enfold/store/sqlite/schema.h"
#include "enfold/store/stores.h"

#include <array>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

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

// nullopt: there is no such file.
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

namespace enfold::store {

namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
// The header of an SQLite file: its size, and the offsets of two numbers in it.
constexpr std::size_t kHeadSize = 100;
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;

std::int64_t number_at(const std::array<char, kHeadSize>& head, std::size_t place) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8U | static_cast<unsigned char>(head[place + i]);
  }
  return number;
}

}  // namespace

bool is_sqlite_archive(const std::string& path) {
  std::array<char, kHeadSize> head{};
  ssize_t got = -1;
  const bool was_free = detail::use_if_closed(path, [&] {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return;
    got = ::read(file, head.data(), head.size());
    ::close(file);
  });
  if (!was_free) return true;  // this process has it open as an archive
  return got == static_cast<ssize_t>(kHeadSize) &&
         std::string_view(head.data(), kMagic.size()) == kMagic &&
         number_at(head, kApplicationIdAt) == detail::kApplicationId &&
         number_at(head, kUserVersionAt) == detail::kSchemaVersion;
}

}  // namespace enfold::store

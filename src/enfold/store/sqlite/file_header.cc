// SPDX-License-Identifier: Apache-2.0
// Reads the header of an SQLite file (https://www.sqlite.org/fileformat.html, 1.3), without SQLite.
#include "enfold/store/sqlite/open_files.h"
#include "enfold/store/sqlite/schema.h"
#include "enfold/store/sqlite/sqlite.h"

#include <array>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace enfold::store {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHead = 100;
constexpr std::size_t kUserVersion = 60;
constexpr std::size_t kApplication = 68;

std::int64_t number_at(const std::array<char, kHead>& head, std::size_t place) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8U | static_cast<unsigned char>(head[place + i]);
  }
  return number;
}

}  // namespace

bool is_sqlite_archive(const std::string& path) {
  std::array<char, kHead> head{};
  ssize_t got = -1;
  const bool was_free = detail::use_if_closed(path, [&] {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return;
    got = ::read(file, head.data(), head.size());
    ::close(file);
  });
  if (!was_free) return true;  // this process has it open as an archive
  return got == static_cast<ssize_t>(kHead) && std::string_view(head.data(), 16) == kMagic &&
         number_at(head, kApplication) == detail::kApplicationId &&
         number_at(head, kUserVersion) == detail::kSchemaVersion;
}

}  // namespace enfold::store

// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace foundry {
namespace {

namespace fs = std::filesystem;

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(descriptor) == 0;
}

// A rename is on the disk when the folder is.
bool sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = ::fsync(descriptor) == 0;
  ::close(descriptor);
  return synced;
}

}  // namespace

tl::unexpected<enfold::Error> system_error(std::string_view what, const fs::path& where,
                                           std::error_code why) {
  return enfold::fail(
      enfold::ErrorCode::unavailable,
      fmt::format("The folder of specifications cannot be {}: {}", what, why.message()),
      where.filename().string(), "Check its permissions and the disk; then try again.");
}

std::optional<std::string> read_file(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return std::nullopt;
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

Status write_file(const fs::path& file, std::string_view text, mode_t mode) {
  const std::string fresh = file.string() + ".new";
  const int descriptor = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (descriptor < 0) return system_error("written", file);
  const bool written = write_all(descriptor, text);
  ::close(descriptor);
  if (!written || ::rename(fresh.c_str(), file.c_str()) != 0 || !sync_folder(file.parent_path())) {
    return system_error("written", file);
  }
  return {};
}

Result<std::optional<FileLock>> FileLock::acquire(const fs::path& file, Kind kind,
                                                  std::chrono::milliseconds timeout) {
  constexpr std::chrono::milliseconds kPause(10);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kReadableByAll);
  if (descriptor < 0) return system_error("locked", file);
  FileLock lock(descriptor);
  const int wanted = (kind == Kind::exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB;
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (::flock(descriptor, wanted) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return system_error("locked", file);
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(kPause);
  }
  return std::optional<FileLock>(std::move(lock));
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace foundry

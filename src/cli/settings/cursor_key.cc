// SPDX-License-Identifier: Apache-2.0
#include "cli/settings/cursor_key.h"

#include "cli/input/descriptor.h"
#include "enfold/base/random.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyBytes = 32;

tl::unexpected<Error> problem(std::string_view what, const fs::path& file) {
  return fail(ErrorCode::unavailable,
              fmt::format("cannot {} the cursor key: {}", what, std::strerror(errno)), file,
              "make the folder writable, or fetch less at a time");
}

// nullopt: there is no such file.
Result<std::optional<contract::CursorKey>> read_key(const fs::path& file) {
  const Descriptor input(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!input.is_open() && errno == ENOENT) return std::nullopt;
  if (!input.is_open()) return problem("open", file);
  struct stat status{};
  if (::fstat(input.get(), &status) != 0) return problem("open", file);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(ErrorCode::unauthorized, "other users may read the cursor key", file,
                "remove it: a new one is created, and older cursors become invalid");
  }
  std::string bytes(kKeyBytes, '\0');
  const ssize_t got = ::read(input.get(), bytes.data(), bytes.size());
  if (got != static_cast<ssize_t>(kKeyBytes) || status.st_size != static_cast<off_t>(kKeyBytes)) {
    return fail(
        ErrorCode::internal,
        fmt::format("expected {} bytes in the cursor key, found {}", kKeyBytes, status.st_size),
        file, "remove it: a new one is created, and older cursors become invalid");
  }
  Result<contract::CursorKey> key = contract::CursorKey::from_bytes(std::move(bytes));
  if (!key) return tl::unexpected(key.error());
  return std::optional(std::move(*key));
}

// Written to a temporary file and linked into place: a reader never sees half a key, and programs
// that start at once all use the key of the first.
Status make_key(const fs::path& file) {
  std::error_code ignored;
  if (fs::create_directories(file.parent_path(), ignored)) {
    fs::permissions(file.parent_path(), fs::perms::owner_all, ignored);
  }
  std::string aside = file.string() + ".XXXXXX";
  const Descriptor output(::mkostemp(aside.data(), O_CLOEXEC));  // with mode 0600
  if (!output.is_open()) return problem("create", file);
  std::array<std::uint8_t, kKeyBytes> bytes{};
  fill_random(bytes);
  const bool written =
      ::write(output.get(), bytes.data(), bytes.size()) == kKeyBytes && ::fsync(output.get()) == 0;
  const bool linked = written && (::link(aside.c_str(), file.c_str()) == 0 || errno == EEXIST);
  const int why = errno;
  ::unlink(aside.c_str());
  errno = why;
  return linked ? Status{} : problem("create", file);
}

}  // namespace

Result<fs::path> cursor_key_file(const ArchivePlace& place) {
  if (!place.file.empty()) return fs::path(place.file.string() + ".key");
  const Result<fs::path> folder = state_folder();
  if (!folder) return tl::unexpected(folder.error());
  return *folder / "cursor.key";
}

Result<std::optional<contract::CursorKey>> existing_cursor_key(const ArchivePlace& place) {
  const Result<fs::path> file = cursor_key_file(place);
  if (!file) return tl::unexpected(file.error());
  return read_key(*file);
}

contract::CursorKey unused_cursor_key() {
  return contract::CursorKey::from_bytes(std::string(kKeyBytes, '\0')).value();
}

Result<contract::CursorKey> cursor_key(const ArchivePlace& place) {
  const Result<fs::path> file = cursor_key_file(place);
  if (!file) return tl::unexpected(file.error());
  for (int attempt = 0; attempt < 2; ++attempt) {
    Result<std::optional<contract::CursorKey>> key = read_key(*file);
    if (!key) return tl::unexpected(key.error());
    if (*key) return std::move(**key);
    if (Status made = make_key(*file); !made) return tl::unexpected(made.error());
  }
  errno = ENOENT;
  return problem("keep", *file);
}

}  // namespace enfold::cli

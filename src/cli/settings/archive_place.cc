// SPDX-License-Identifier: Apache-2.0
#include "cli/settings/archive_place.h"

#include "cli/input/input.h"
#include "enfold/base/random.h"
#include "enfold/store/private_folders.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/core.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

constexpr std::size_t kKeyBytes = 32;

// "cannot WHAT the cursor key", with the text of errno.
tl::unexpected<Error> key_error(std::string_view what, const fs::path& file,
                                std::string_view hint) {
  return fail(ErrorCode::unavailable,
              fmt::format("cannot {} the cursor key: {}", what, std::strerror(errno)), file,
              std::string(hint));
}

constexpr std::string_view kUnreadableHint =
    "make the file readable for its owner only, or remove it";
constexpr std::string_view kUnwritableHint = "make the folder writable, or fetch less at a time";

// nullopt: the file does not exist.
Result<std::optional<contract::CursorKey>> read_key(const fs::path& file) {
  const Descriptor input(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!input.is_open() && errno == ENOENT) return std::nullopt;
  if (!input.is_open()) return key_error("open", file, kUnreadableHint);
  struct stat status{};
  if (::fstat(input.get(), &status) != 0) return key_error("open", file, kUnreadableHint);
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
  ENFOLD_TRY(contract::CursorKey key, contract::CursorKey::from_bytes(std::move(bytes)));
  return std::optional(std::move(key));
}

// Creates the file with a random key, unless it exists. The key is written to a temporary file that
// is then linked to `file`: a reader never sees half a key, and of programs that start together all
// use the key of the first.
Status make_key(const fs::path& file) {
  ENFOLD_TRY(store::make_private_folders(file.parent_path()));
  std::string temporary = file.string() + ".XXXXXX";
  const Descriptor output(::mkostemp(temporary.data(), O_CLOEXEC));  // with mode 0600
  if (!output.is_open()) return key_error("create", file, kUnwritableHint);
  std::array<std::uint8_t, kKeyBytes> bytes{};
  fill_random(bytes);
  const bool written =
      ::write(output.get(), bytes.data(), bytes.size()) == kKeyBytes && ::fsync(output.get()) == 0;
  const bool linked = written && (::link(temporary.c_str(), file.c_str()) == 0 || errno == EEXIST);
  const int link_errno = errno;
  ::unlink(temporary.c_str());
  errno = link_errno;
  return linked ? Status{} : key_error("create", file, kUnwritableHint);
}

}  // namespace

void declare_archive_option(Arguments& arguments, std::string& place) {
  arguments.text("--archive", "PLACE", place, "File, or redis://HOST; see below for the default");
}

Result<fs::path> state_folder() {
  // The XDG base directory specification ignores a relative path.
  const fs::path base = environment("XDG_STATE_HOME");
  if (base.is_absolute()) return base / "enfold";
  const fs::path home = environment("HOME");
  if (home.is_absolute()) return home / ".local" / "state" / "enfold";
  return fail(ErrorCode::invalid_input, "expected a place for the archive, found none", "",
              "set HOME or ENFOLD_ARCHIVE, or pass --archive");
}

std::string ArchivePlace::shown() const {
  const std::size_t scheme = place.find("://");
  const std::size_t at = place.rfind('@');
  if (!file.empty() || scheme == std::string::npos || at == std::string::npos) return place;
  return place.substr(0, scheme + 3) + place.substr(at + 1);
}

Result<ArchivePlace> archive_place(const std::string& option) {
  std::string place = option.empty() ? environment("ENFOLD_ARCHIVE") : option;
  if (place.empty()) {
    ENFOLD_TRY(const fs::path folder, state_folder());
    const std::string file = folder / "archive.db";
    return ArchivePlace{file, file};
  }
  // Verbs call this before they read input. If a bad place were found only when an answer is to be
  // archived, that answer could be printed uncut.
  ENFOLD_TRY(const store::Place parsed, store::parse_place(place));
  fs::path file;
  switch (parsed.kind) {
    case store::Place::Kind::memory:
      return fail(ErrorCode::invalid_input,
                  "expected an archive that outlives the program, found memory", "",
                  "use a file (./memory for a file of that name) or a Redis server");
    case store::Place::Kind::sqlite: file = parsed.name; break;
    case store::Place::Kind::redis: break;
  }
  return ArchivePlace{std::move(place), std::move(file)};
}

Result<ArchivePointer> open_existing(const ArchivePlace& place) {
  std::error_code ignored;
  if (!place.file.empty() && !fs::exists(place.file, ignored)) {
    return fail(ErrorCode::not_found, "there is no archive", place.shown(),
                "`enfold fit` creates it when it first cuts an answer; --archive or "
                "ENFOLD_ARCHIVE selects another");
  }
  return open_or_make(place);
}

Result<ArchivePointer> open_or_make(const ArchivePlace& place,
                                    const store::ArchiveOptions& options) {
  return store::open_archive(place.place, options);
}

store::Time now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string to_text(store::Time time) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return std::to_string(seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Result<fs::path> cursor_key_file(const ArchivePlace& place) {
  if (!place.file.empty()) return fs::path(place.file.string() + ".key");
  ENFOLD_TRY(const fs::path folder, state_folder());
  return folder / "cursor.key";
}

Result<std::optional<contract::CursorKey>> existing_cursor_key(const ArchivePlace& place) {
  ENFOLD_TRY(const fs::path file, cursor_key_file(place));
  return read_key(file);
}

contract::CursorKey placeholder_cursor_key() {
  return contract::CursorKey::from_bytes(std::string(kKeyBytes, '\0')).value();
}

Result<contract::CursorKey> cursor_key(const ArchivePlace& place) {
  ENFOLD_TRY(const fs::path file, cursor_key_file(place));
  for (int attempt = 0; attempt < 2; ++attempt) {  // the second attempt reads what make_key wrote
    ENFOLD_TRY(std::optional<contract::CursorKey> key, read_key(file));
    if (key) return std::move(*key);
    ENFOLD_TRY(make_key(file));
  }
  errno = ENOENT;
  return key_error("keep", file, kUnwritableHint);
}

}  // namespace enfold::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/settings/archive_place.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void accept_archive_place(Arguments& arguments, std::string& given) {
  arguments.text("--archive", "PLACE", given, "File, or redis://HOST; see below for the default");
}

Result<fs::path> state_folder() {
  // The base directory specification ignores a relative one.
  const fs::path given = environment("XDG_STATE_HOME");
  if (given.is_absolute()) return given / "enfold";
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

Result<ArchivePlace> archive_place(const std::string& given) {
  std::string place = given.empty() ? environment("ENFOLD_ARCHIVE") : given;
  if (place.empty()) {
    const Result<fs::path> folder = state_folder();
    if (!folder) return tl::unexpected(folder.error());
    const std::string file = *folder / "archive.db";
    return ArchivePlace{file, file};
  }
  // Checked before any input is read, so that a bad place never leads to an uncut answer.
  const Result<store::Place> parsed = store::parse_place(place);
  if (!parsed) return tl::unexpected(parsed.error());
  fs::path file;
  switch (parsed->kind) {
    case store::Place::Kind::memory:
      return fail(ErrorCode::invalid_input,
                  "expected an archive that outlives the program, found memory", "",
                  "use a file (./memory for a file of that name) or a Redis server");
    case store::Place::Kind::sqlite: file = parsed->name; break;
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

}  // namespace enfold::cli

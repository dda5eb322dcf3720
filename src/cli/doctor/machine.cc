// SPDX-License-Identifier: Apache-2.0
// The checks of the program, its archive, and the system's limits and kernel.
#include "cli/clients/own_command.h"
#include "cli/doctor/checks.h"
#include "cli/settings/archive_place.h"
#include "cli/terminal/shell_words.h"
#include "enfold/store/stores.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <fstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kLittleSpace = 1024 * kMebibyte;  // less free space is a note
constexpr std::uint64_t kNoSpace = 64 * kMebibyte;        // less free space is a problem
constexpr rlim_t kEnoughFiles = 1024;                     // a lower limit is a problem

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10 * 1024) return fmt::format("{} bytes", bytes);
  if (bytes < 10 * kMebibyte) return fmt::format("{} KiB", bytes / 1024);
  if (bytes < 10 * 1024 * kMebibyte) return fmt::format("{} MiB", bytes / kMebibyte);
  return fmt::format("{} GiB", bytes / (1024 * kMebibyte));
}

// The folder itself, or the nearest one above it that exists.
fs::path existing_folder(fs::path folder) {
  std::error_code ignored;
  while (folder.has_relative_path() && !fs::exists(folder, ignored)) folder = folder.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

void check_space(const fs::path& folder, DoctorReport& report) {
  struct statvfs space{};
  if (::statvfs(folder.c_str(), &space) != 0) return;
  const std::uint64_t free = std::uint64_t{space.f_bavail} * space.f_frsize;
  const std::string text =
      fmt::format("{} free on the disk of {}", size_text(free), short_path(folder));
  const std::string fix = "enfold archive gc, or free space on the disk";
  if (free < kNoSpace) {
    report.problem("archive", text, fix);
  } else if (free < kLittleSpace) {
    report.note("archive", text, fix);
  } else {
    report.ok("archive", text);
  }
}

// Whether the group or other users have any right to a file or folder.
bool is_open_to_others(const fs::path& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
}

// Whether the file begins like a SQLite database. Checked before SQLite opens it, because SQLite
// takes a short file of another kind for an empty database and overwrites it.
bool is_sqlite(const fs::path& file) {
  constexpr std::string_view kMark("SQLite format 3\0", 16);
  std::string begin(kMark.size(), ' ');
  std::ifstream(file, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == kMark;
}

// Opens the archive and reads its statistics.
Status read_archive(const ArchivePlace& place) {
  if (!place.file.empty()) {
    const auto statistics = store::inspect_sqlite_archive(place.file.string());
    return statistics ? Status() : tl::unexpected(statistics.error());
  }
  ENFOLD_TRY(const ArchivePointer archive, open_existing(place));
  const auto statistics = archive->statistics();
  return statistics ? Status() : tl::unexpected(statistics.error());
}

// Checks only the folder that Enfold creates: the user may share another folder on purpose.
void check_state_folder(const fs::path& folder, DoctorReport& report) {
  const Result<fs::path> own = state_folder();
  if (!own || folder != *own || !is_open_to_others(folder)) return;
  report.problem("archive", fmt::format("other users may list {}", short_path(folder)),
                 "chmod 700 " + shell_quoted(folder.string()));
}

// The folder must be writable too, because SQLite writes files beside the archive.
void check_archive_file(const ArchivePlace& place, DoctorReport& report) {
  std::error_code ignored;
  const fs::path parent = place.file.parent_path().empty() ? "." : place.file.parent_path();
  const fs::path folder = existing_folder(parent);
  const std::string name = short_path(place.file);
  const bool exists = fs::exists(place.file, ignored);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    report.problem(
        "archive",
        fmt::format("{} cannot be written: {} is not writable", name, short_path(folder)),
        fmt::format("chmod u+rwx {}, or choose another place with ENFOLD_ARCHIVE",
                    shell_quoted(folder.string())));
    return;
  }
  if (!exists) {
    report.ok("archive", fmt::format("{} will be created with the first cut answer", name));
    check_state_folder(parent, report);
    return check_space(folder, report);
  }
  if (::access(place.file.c_str(), R_OK | W_OK) != 0) {
    report.problem("archive", fmt::format("{} cannot be written", name),
                   "chmod u+rw " + shell_quoted(place.file.string()));
    return;
  }
  const std::uint64_t size = fs::file_size(place.file, ignored);
  if (size > 0 && !is_sqlite(place.file)) {
    report.problem("archive", fmt::format("{} is no archive", name),
                   fmt::format("mv {} {}", shell_quoted(place.file.string()),
                               shell_quoted(place.file.string() + ".old")));
    return;
  }
  if (const Status read = size > 0 ? read_archive(place) : Status(); !read) {
    report.problem("archive", read.error(), "enfold archive verify");
  } else {
    report.ok("archive", fmt::format("{} opens, {}", name, size_text(size)));
  }
  if (is_open_to_others(place.file)) {
    report.problem("archive", fmt::format("other users may read {}", name),
                   "chmod 600 " + shell_quoted(place.file.string()));
  }
  check_state_folder(parent, report);
  if (const auto key = existing_cursor_key(place); !key) report.problem("archive", key.error());
  check_space(folder, report);
}

}  // namespace

void check_program_itself(DoctorReport& report) {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  report.ok("program", fmt::format("enfold {}, {}", ENFOLD_VERSION, self.string()));
  const fs::path found = program_in_path();
  const fs::path link = npm_link(self);
  const fs::path folder = (link.empty() ? self : link).parent_path();
  if (found.empty()) {
    report.note("program", "enfold is not in PATH",
                fmt::format("export PATH={}:\"$PATH\"", shell_quoted(folder.string())));
  } else if (!fs::equivalent(found, self, ignored) && !fs::equivalent(found, link, ignored)) {
    report.note("program", fmt::format("PATH leads to another enfold: {}", found.string()),
                fmt::format("put {} first in PATH, or remove the other one", folder.string()));
  }
}

void check_archive(const std::string& option, DoctorReport& report) {
  const Result<ArchivePlace> place = archive_place(option);
  if (!place) {
    report.problem("archive", place.error());
  } else if (!place->file.empty()) {
    check_archive_file(*place, report);
  } else if (const Status read = read_archive(*place); !read) {
    report.problem("archive", read.error(),
                   fmt::format("start the Redis server of {}, or choose another place with "
                               "--archive or ENFOLD_ARCHIVE",
                               place->shown()));
  } else {
    report.ok("archive", fmt::format("{} answers", place->shown()));
  }
}

void check_open_file_limit(DoctorReport& report) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  const std::string text = files.rlim_cur == RLIM_INFINITY
                               ? std::string("any number of open files")
                               : fmt::format("{} open files", files.rlim_cur);
  if (files.rlim_cur >= kEnoughFiles) {
    report.ok("limits", text);
    return;
  }
  const std::string fix =
      files.rlim_max >= kEnoughFiles
          ? fmt::format("ulimit -n {}", kEnoughFiles)
          : fmt::format("raise the hard limit: LimitNOFILE={} in the unit of systemd",
                        kEnoughFiles);
  report.problem("limits", fmt::format("{}; a gateway needs {}", text, kEnoughFiles), fix);
}

void check_kernel(DoctorReport& report) {
  std::vector<std::string> have;
  std::vector<std::string> missing;
  const auto add = [&](const char* name, bool works) { (works ? have : missing).push_back(name); };
  // The range has no open descriptors, so nothing is closed.
  add("close_range", ::close_range(~0U, ~0U, 0) == 0);
  add("no_new_privs", ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0);
  const long descriptor = ::syscall(SYS_pidfd_open, ::getpid(), 0);
  add("pidfd_open", descriptor >= 0);
  if (descriptor >= 0) ::close(static_cast<int>(descriptor));
  if (missing.empty()) {
    report.ok("kernel", fmt::format("{}", fmt::join(have, ", ")));
    return;
  }
  report.problem("kernel", fmt::format("missing: {}", fmt::join(missing, ", ")),
                 "use Linux 5.9 or newer, or allow these calls in the container's seccomp profile");
}

}  // namespace enfold::cli

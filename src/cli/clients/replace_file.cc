// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/replace_file.h"

#include "cli/input/input.h"
#include "cli/terminal/shell_words.h"
#include "enfold/store/private_folders.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <system_error>
#include <unistd.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPrivate = 0600;
constexpr mode_t kModeBits = 07777;
constexpr std::size_t kMaxAttributeBytes = 65536;  // XATTR_SIZE_MAX and XATTR_LIST_MAX of Linux

// The error of a system call that has set errno.
tl::unexpected<Error> failed(std::string_view what, const fs::path& path) {
  return fail(ErrorCode::unavailable, fmt::format("cannot {}: {}", what, std::strerror(errno)),
              path.string(), "nothing was changed; check the mode of the file and of its folder");
}

Result<std::string> read_bytes(const fs::path& path) {
  ENFOLD_TRY(const json::Buffer bytes, read_all(path.string(), {}));
  return std::string(bytes.view());
}

// A new file in the folder of `path`; removed at the end, unless it was renamed.
class Temporary {
 public:
  explicit Temporary(const fs::path& path)
      : name_(path.string() + ".XXXXXX"), file_(::mkostemp(name_.data(), O_CLOEXEC)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (file_.is_open() && !renamed_) ::unlink(name_.c_str());
  }

  [[nodiscard]] int get() const { return file_.get(); }
  [[nodiscard]] bool is_open() const { return file_.is_open(); }

  /// Writes all bytes to the disk. False: errno has the reason; rename_to likewise.
  [[nodiscard]] bool write(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t put = ::write(file_.get(), bytes.data() + at, bytes.size() - at);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      at += static_cast<std::size_t>(put);
    }
    return ::fsync(file_.get()) == 0;
  }

  [[nodiscard]] bool rename_to(const fs::path& path) {
    renamed_ = ::rename(name_.c_str(), path.c_str()) == 0;
    return renamed_;
  }

 private:
  std::string name_;
  Descriptor file_;
  bool renamed_ = false;
};

// Copies the access control list and the extended attributes of users (user.*). The list must be
// copied: in a file that has one, the group bits of the mode are the mask of the list; in a copy
// without the list they would be rights of the group. False: errno has the reason.
[[nodiscard]] bool copy_attributes(const fs::path& from, int to) {
  std::string names(kMaxAttributeBytes, '\0');
  const ssize_t size = ::listxattr(from.c_str(), names.data(), names.size());
  if (size < 0) return errno == ENOTSUP;  // then there are no attributes
  names.resize(static_cast<std::size_t>(size));
  for (std::size_t at = 0; at < names.size();) {
    const std::string name(names.c_str() + at);
    at += name.size() + 1;
    if (name != "system.posix_acl_access" && !name.starts_with("user.")) continue;
    std::string value(kMaxAttributeBytes, '\0');
    const ssize_t length = ::getxattr(from.c_str(), name.c_str(), value.data(), value.size());
    if (length < 0) return false;
    if (::fsetxattr(to, name.c_str(), value.data(), static_cast<std::size_t>(length), 0) != 0) {
      return false;
    }
  }
  return true;
}

Status check_replaceable(const fs::path& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::invalid_input, "expected a regular file", path.string());
  }
  const bool read_only = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  if (read_only || ::access(path.c_str(), W_OK) != 0) {
    return fail(ErrorCode::unauthorized, "the file is read-only", path.string(),
                "chmod u+w " + shell_quoted(path.string()));
  }
  if (status.st_nlink > 1) {
    return fail(ErrorCode::unsupported,
                fmt::format("the file has {} names (hard links), of which only one would change",
                            status.st_nlink),
                path.string(), "replace the other names by symbolic links");
  }
  return {};
}

}  // namespace

Result<FileContent> read_replaceable(const fs::path& path) {
  std::error_code problem;
  FileContent out;
  out.path = fs::canonical(path, problem);
  if (problem) {
    return fail(ErrorCode::not_found, fmt::format("cannot open: {}", problem.message()),
                path.string(), "check the name");
  }
  struct stat status{};
  if (::stat(out.path.c_str(), &status) != 0) return failed("open", out.path);
  ENFOLD_TRY(check_replaceable(out.path, status));
  ENFOLD_TRY(out.bytes, read_bytes(out.path));
  return out;
}

Status replace_file(const FileContent& was, const std::string& bytes) {
  struct stat status{};
  if (::stat(was.path.c_str(), &status) != 0) return failed("open", was.path);
  ENFOLD_TRY(check_replaceable(was.path, status));
  Temporary output(was.path);
  if (!output.is_open()) return failed("create a file beside it", was.path);
  // Sets the owner before the mode, because a change of the owner clears set-user-ID bits.
  const bool is_foreign = status.st_uid != ::geteuid() || status.st_gid != ::getegid();
  if (is_foreign && ::fchown(output.get(), status.st_uid, status.st_gid) != 0) {
    return failed("keep the owner of the file", was.path);
  }
  if (::fchmod(output.get(), status.st_mode & kModeBits) != 0) {
    return failed("keep the mode of the file", was.path);
  }
  if (!copy_attributes(was.path, output.get())) {
    return failed("keep the access control list of the file", was.path);
  }
  if (!output.write(bytes)) return failed("write a file beside it", was.path);
  ENFOLD_TRY(const std::string now, read_bytes(was.path));
  if (now != was.bytes) {
    return fail(ErrorCode::conflict, "another program changed the file meanwhile",
                was.path.string(), "nothing was changed; run the command again");
  }
  if (!output.rename_to(was.path)) return failed("replace", was.path);
  store::sync_folder(was.path.parent_path());
  return {};
}

Status write_private_file(const fs::path& path, const std::string& bytes) {
  std::error_code ignored;
  const fs::path folder = path.parent_path();
  ENFOLD_TRY(store::make_private_folders(folder));
  fs::permissions(folder, fs::perms::owner_all, ignored);
  Temporary output(path);
  if (!output.is_open() || ::fchmod(output.get(), kPrivate) != 0 || !output.write(bytes) ||
      !output.rename_to(path)) {
    return failed("write", path);
  }
  store::sync_folder(folder);
  return {};
}

}  // namespace enfold::cli

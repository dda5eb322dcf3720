// SPDX-License-Identifier: Apache-2.0
// Replaces the content of a file of the user atomically: a reader sees the whole old or the whole
// new content. Mode, owner, access control list and symbolic links stay.
#pragma once

#include "enfold/base/result.h"

#include <filesystem>
#include <string>

namespace enfold::cli {

/// A file as it was read.
struct FileContent {
  std::filesystem::path path;  ///< with all symbolic links resolved
  std::string bytes;
};

/// Reads a file. Fails if replace_file could not replace it: if it is no regular file, is
/// read-only, or has several names (hard links).
[[nodiscard]] Result<FileContent> read_replaceable(const std::filesystem::path& path);

/// Replaces the content of the file that was read by `bytes`. `conflict` if it has changed since it
/// was read; then it is not replaced.
[[nodiscard]] Status replace_file(const FileContent& was, const std::string& bytes);

/// Writes a file that only its owner can read, in a folder of mode 0700; creates missing folders.
/// When the function returns, the file survives a power failure.
[[nodiscard]] Status write_private_file(const std::filesystem::path& path,
                                        const std::string& bytes);

}  // namespace enfold::cli

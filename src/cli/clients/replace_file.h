// SPDX-License-Identifier: Apache-2.0
// Replaces the content of a file of the user at once: a reader sees the old or the new content,
// never a part. Mode, owner, access control list and symbolic links stay.
#pragma once

#include "enfold/base/result.h"

#include <filesystem>
#include <string>

namespace enfold::cli {

/// A file as it was read.
struct FileContent {
  std::filesystem::path path;  ///< behind all symbolic links
  std::string bytes;
};

/// Fails for what replace_file cannot replace: a file that is no regular file, that its owner
/// may not write, or that has several names (hard links).
[[nodiscard]] Result<FileContent> read_replaceable(const std::filesystem::path& path);

/// `conflict` if the content is no longer what was read; then nothing is written.
[[nodiscard]] Status replace_file(const FileContent& was, const std::string& bytes);

/// Writes a file that only its owner can read, in a folder of mode 0700; creates missing folders.
/// Afterwards it survives a power failure.
[[nodiscard]] Status write_private_file(const std::filesystem::path& path,
                                        const std::string& bytes);

}  // namespace enfold::cli

// SPDX-License-Identifier: Apache-2.0
// Folders for what only one user may read.
#pragma once

#include "enfold/base/result.h"

#include <filesystem>

namespace enfold::store {

/// Makes the missing folders of a path with mode 0700; existing folders keep their mode. The new
/// folders survive a power failure.
[[nodiscard]] Status make_private_folders(const std::filesystem::path& folder);

/// Writes the entries of a folder to the disk. A file system that cannot do this is no error.
void sync_folder(const std::filesystem::path& folder);

}  // namespace enfold::store

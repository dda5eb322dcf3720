// SPDX-License-Identifier: Apache-2.0
// The copy of a settings file as it was before `enfold import --wrap`, in the state folder of the
// user. With it --unwrap restores the original bytes.
#pragma once

#include "enfold/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace enfold::cli {

struct KeptCopy {
  std::filesystem::path file;  ///< of the copy
  std::string original;        ///< the bytes without any wrapped server
  std::string wrapped_hash;    ///< SHA-256 of what was written
};

/// nullopt: there is no copy of the file, or it cannot be read.
[[nodiscard]] std::optional<KeptCopy> find_copy(const std::filesystem::path& file);

/// Returns the path of the copy.
[[nodiscard]] Result<std::filesystem::path> keep_copy(const std::filesystem::path& file,
                                                      const std::string& original,
                                                      const std::string& wrapped);

void remove_copy(const KeptCopy& copy);

}  // namespace enfold::cli

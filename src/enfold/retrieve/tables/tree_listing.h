// SPDX-License-Identifier: Apache-2.0
// Listings of folders as `tree` draws them, with "├── name" or "|-- name".
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string_view>

namespace enfold::retrieve {

/// A list of {path, name, folder, ext, depth, is_folder, target}; nullopt: the text is no listing.
[[nodiscard]] std::optional<json::Value> files_in_tree(std::string_view text);

}  // namespace enfold::retrieve

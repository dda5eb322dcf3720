// SPDX-License-Identifier: Apache-2.0
// Listings of files: as `tree` draws them, `ls -lR`, lines of [DIR] and [FILE], and lists of paths
// as `find` prints them.
#pragma once

#include "enfold/budget/text/lines.h"
#include "enfold/json/document.h"

#include <optional>
#include <string>

namespace enfold::budget::text {

/// An entry of a listing: a file, a folder or a link.
struct ListedFile {
  std::size_t line = 0;  ///< number of its line
  std::string folder;    ///< path of the folder that holds it; "." for the outermost
  std::string name;
  std::string target{};                 ///< of a symbolic link; empty: it is none
  std::size_t depth = 1;                ///< 1 in the outermost folder
  bool is_folder = false;               ///< it is marked as a folder, or holds other entries
  std::optional<std::uint64_t> size{};  ///< bytes; nullopt: not given

  [[nodiscard]] std::string path() const { return folder == "." ? name : folder + "/" + name; }
  /// What follows the last dot of the name; empty: a folder, or a name without a dot.
  [[nodiscard]] std::string_view extension() const;
};

struct Listing {
  std::vector<ListedFile> files;
  bool marks_folders = false;  ///< every folder is marked; else an empty one looks like a file
  /// Number of folders with entries, also those without a line of their own; 0 if marks_folders.
  std::size_t holders = 0;
};

[[nodiscard]] bool is_listing(const Sample& sample);
/// Lines that list no file are passed over. `text` must be a listing.
[[nodiscard]] Listing read_listing(std::string_view text);

/// A list of {path, name, folder, ext, depth, is_folder, target}, and `size` where sizes are given.
[[nodiscard]] json::Value records_of(const Listing& listing);

}  // namespace enfold::budget::text

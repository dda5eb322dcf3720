// SPDX-License-Identifier: Apache-2.0
// Listings of files: as `tree` draws them, `ls -lR`, lines of [DIR] and [FILE], and lists of paths
// as `find` prints them.
#pragma once

#include "enfold/budget/text/lines.h"
#include "enfold/json/document.h"

#include <optional>
#include <string>

namespace enfold::budget::text {

struct ListedFile {
  std::size_t line = 0;
  std::string folder;  ///< "." for the outermost
  std::string name;
  std::string target{};  ///< of a symbolic link
  std::size_t depth = 1;
  bool is_folder = false;  ///< marked as one, or it holds others
  std::optional<std::uint64_t> size{};

  [[nodiscard]] std::string path() const { return folder == "." ? name : folder + "/" + name; }
  /// Behind the last dot of the name; empty: a folder, or a name without one.
  [[nodiscard]] std::string_view extension() const;
};

struct Listing {
  std::vector<ListedFile> files;
  bool marks_folders = false;  ///< every folder is marked; else an empty one looks like a file
  std::size_t holders = 0;     ///< folders with entries, also those without a line of their own
};

[[nodiscard]] bool is_listing(const Sample& sample);
/// Lines that list no file are passed over. `text` must be a listing.
[[nodiscard]] Listing read_listing(std::string_view text);

/// A list of {path, name, folder, ext, depth, is_folder, target}, and `size` where sizes are given.
[[nodiscard]] json::Value records_of(const Listing& listing);

}  // namespace enfold::budget::text

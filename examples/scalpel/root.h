// SPDX-License-Identifier: Apache-2.0
// The folder with the sources, and the only way into it. No path leads out of it: neither by its
// spelling nor through a symbolic link, nor when somebody swaps a folder for a link meanwhile.
#pragma once

#include "enfold/model/response.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace scalpel {

/// A value, or the failure that the caller is told.
template <class T>
using Or = tl::expected<T, enfold::model::Response>;

/// A failure in the vocabulary of the envelope: "not_found", "invalid_path" …
[[nodiscard]] enfold::model::Response refuse(std::string_view code, std::string message,
                                             std::string remedy = {});
[[nodiscard]] inline tl::unexpected<enfold::model::Response> refused(std::string_view code,
                                                                     std::string message,
                                                                     std::string remedy = {}) {
  return tl::unexpected(refuse(code, std::move(message), std::move(remedy)));
}

/// A file or folder that was found below the root.
struct Place {
  std::string path;       ///< as the caller may say it again: relative, with slashes; "." the root
  std::string true_path;  ///< the same without symbolic links
  bool is_folder = false;
  std::size_t bytes = 0;
};

class SourceRoot {
 public:
  explicit SourceRoot(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] Or<Place> find(std::string_view path) const;
  /// The whole text; fails when the file is not UTF-8 or has grown past `most` bytes.
  [[nodiscard]] Or<std::string> read(const Place& file, std::size_t most) const;
  /// The files below a folder, sorted by path, hidden ones left out. A link that leads out of the
  /// root is listed without `true_path`. `complete` is false when there were more than `most`.
  struct Listing {
    std::vector<Place> files;
    bool complete = true;
  };
  [[nodiscard]] Listing list(const Place& folder, std::size_t most) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace scalpel

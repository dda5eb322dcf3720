// SPDX-License-Identifier: Apache-2.0
// The folder with the sources, and the only way into it. No path leads out of it: neither by its
// spelling nor through a symbolic link, nor when somebody swaps a folder for a link meanwhile.
#pragma once

#include "enfold/model/response.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
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
/// A name that may stand in a failure: what is no plain name could be source code.
[[nodiscard]] std::string quoted_name(std::string_view name);
[[nodiscard]] inline tl::unexpected<enfold::model::Response> refused(std::string_view code,
                                                                     std::string message,
                                                                     std::string remedy = {}) {
  return tl::unexpected(refuse(code, std::move(message), std::move(remedy)));
}

/// Why a file was not analysed.
enum class SkipReason {
  unknown_language,
  language_not_in_tier,
  language_not_requested,
  no_rule,  ///< none of the rules that were asked for is about its language
  too_large,
  over_file_limit,
  hidden,  ///< its name begins with a dot; of a folder everything inside counts as one
  outside_root,
  linked_folder,
  unreadable
};

/// A file or folder that was found below the root.
struct Place {
  std::string path;       ///< as the caller may say it again: relative, with slashes; "." the root
  std::string true_path;  ///< the same without symbolic links
  bool is_folder = false;
  std::size_t bytes = 0;
  std::optional<SkipReason> unusable;  ///< there, but nothing to read
};

class SourceRoot {
 public:
  explicit SourceRoot(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] Or<Place> find(std::string_view path) const;
  /// The whole text; fails when the file is not UTF-8 or has grown past `most` bytes.
  [[nodiscard]] Or<std::string> read(const Place& file, std::size_t most) const;
  /// Everything below a folder, sorted by path. Fails when there is more than `most`.
  [[nodiscard]] Or<std::vector<Place>> list(const Place& folder, std::size_t most) const;

 private:
  [[nodiscard]] Place place_of(const std::filesystem::directory_entry& entry,
                               std::string path) const;
  std::filesystem::path folder_;
};

}  // namespace scalpel

template <>
struct enfold::model::Names<scalpel::SkipReason> {
  static constexpr std::array<std::string_view, 10> values{"unknown_language",
                                                           "language_not_in_tier",
                                                           "language_not_requested",
                                                           "no_rule",
                                                           "too_large",
                                                           "over_file_limit",
                                                           "hidden",
                                                           "outside_root",
                                                           "linked_folder",
                                                           "unreadable"};
};

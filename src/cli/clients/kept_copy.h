// SPDX-License-Identifier: Apache-2.0
// Copies of settings files as they were before `enfold import --wrap`, in the state folder of the
// user, and a record of what was written. With them --unwrap restores the original bytes. A copy is
// never overwritten: a file that was edited since gets a further one.
#pragma once

#include "enfold/base/result.h"
#include "enfold/gateway/clients/wrap.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace enfold::cli {

/// What Enfold knows about one file.
struct KeptCopy {
  std::filesystem::path file;  ///< the latest copy; empty: none is left
  std::string original;        ///< the bytes of the copy
  std::string wrapped_hash;    ///< SHA-256 of what --wrap wrote last; empty: it was unwrapped since
  std::vector<gateway::WrappedServer> servers;  ///< that --wrap wrapped and --unwrap did not unwrap
  /// Whether `text` is what --wrap wrote, so that the copy is its original.
  [[nodiscard]] bool is_original_of(const std::string& text) const;
};

/// nullopt: nothing is known about the file.
[[nodiscard]] std::optional<KeptCopy> find_copy(const std::filesystem::path& file);

/// Called before `wrapped` is written to `file`: keeps `original` as a new copy, unless `before`,
/// the result of find_copy, has the same bytes, and records `servers`.
[[nodiscard]] Result<KeptCopy> keep_copy(const std::filesystem::path& file,
                                         const std::optional<KeptCopy>& before,
                                         const std::string& original, const std::string& wrapped,
                                         std::vector<gateway::WrappedServer> servers);

/// Undoes keep_copy, for a file that could not be written.
void discard_copy(const std::filesystem::path& file, const KeptCopy& kept,
                  const std::optional<KeptCopy>& before);

/// Called after `text`, without the servers of the record, was written to `file`: removes the copy
/// if it has the same bytes. Returns what is left of it. `has_wrapped`: other servers in the text
/// start Enfold; the record stays, so that --unwrap never removes what the user wrote.
KeptCopy release_copy(const std::filesystem::path& file, KeptCopy copy, const std::string& text,
                      bool has_wrapped);

}  // namespace enfold::cli

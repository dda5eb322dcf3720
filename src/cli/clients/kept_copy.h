// SPDX-License-Identifier: Apache-2.0
// Copies of settings files as they were before `enfold import --wrap`, in the state folder of the
// user, and a record of what --wrap wrote. With both, --unwrap restores the original bytes. A copy
// is never overwritten: if the user edits the file and wraps it again, there is one more copy.
#pragma once

#include "enfold/base/result.h"
#include "enfold/gateway/clients/wrap.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace enfold::cli {

/// The latest copy and the record of one settings file.
struct KeptCopy {
  std::filesystem::path file;  ///< the latest copy; empty: none is left
  std::string original;        ///< the bytes of the copy
  std::string wrapped_hash;  ///< of the text that --wrap wrote last; empty: it was unwrapped since
  std::vector<gateway::WrappedServer> servers;  ///< that --wrap wrapped and --unwrap did not unwrap
  /// Whether `text` is what --wrap wrote last, so that the copy is its original.
  [[nodiscard]] bool is_original_of(const std::string& text) const;
};

/// The copy and record of a file; nullopt: there is no record.
[[nodiscard]] std::optional<KeptCopy> find_copy(const std::filesystem::path& file);

/// To be called before the text `wrapped` is written to `file`: keeps `original` as a new copy,
/// unless the copy in `before` (the result of find_copy) has the same bytes, and records `servers`.
[[nodiscard]] Result<KeptCopy> keep_copy(const std::filesystem::path& file,
                                         const std::optional<KeptCopy>& before,
                                         const std::string& original, const std::string& wrapped,
                                         std::vector<gateway::WrappedServer> servers);

/// Undoes keep_copy, after the file could not be written. `kept`: the result of keep_copy;
/// `before`: its argument.
void discard_copy(const std::filesystem::path& file, const KeptCopy& kept,
                  const std::optional<KeptCopy>& before);

/// To be called after --unwrap has written `text` to `file`: removes the copy if it has the same
/// bytes. Returns the copy, with `file` empty if it was removed. `has_wrapped`: servers in the text
/// still start Enfold, because the user wrote so; then the record stays, so that --unwrap never
/// changes them.
KeptCopy release_copy(const std::filesystem::path& file, KeptCopy copy, const std::string& text,
                      bool has_wrapped);

}  // namespace enfold::cli

// SPDX-License-Identifier: Apache-2.0
// Specifications in a folder, each in one file STATUS/SPEC-ID.json, so that every change of one is
// a single atomic write. People and other processes may change them too: nothing is kept in memory
// between two calls, and a call holds the lock of the folder while it works.
#pragma once

#include "files.h"
#include "spec.h"

#include <filesystem>
#include <memory>

namespace foundry {

struct Shelf {
  std::vector<Spec> specs;           ///< by id
  std::vector<std::string> damaged;  ///< ids of those that cannot be read, in order
};

class Folder {
 public:
  /// A folder that does not exist is created, as a copy of `sample` if there is one.
  [[nodiscard]] static Result<std::unique_ptr<Folder>> open(const std::filesystem::path& root,
                                                            const std::filesystem::path& sample);

  /// Hold it while reading (shared) or changing (exclusive). nullopt: another process still
  /// changes the folder after a second.
  [[nodiscard]] Result<std::optional<FileLock>> lock(FileLock::Kind kind) const;

  /// Of one status, or all.
  [[nodiscard]] Result<Shelf> all(std::optional<SpecStatus> status = std::nullopt) const;
  /// `internal` when there is one and it cannot be read.
  [[nodiscard]] Result<std::optional<Spec>> find(const std::string& id) const;

  /// Writes it under its status with the next revision, and removes it under any other.
  [[nodiscard]] Status save(Spec& spec) const;
  [[nodiscard]] Status remove(const std::string& id) const;

  /// The key that signs cursors, so that they survive a restart. Made once and kept in the folder.
  [[nodiscard]] Result<std::string> cursor_key() const;
  /// The SQLite file for archived answers and rate limits.
  [[nodiscard]] std::filesystem::path state_file() const { return root_ / "state.db"; }

 private:
  explicit Folder(std::filesystem::path root) : root_(std::move(root)) {}
  [[nodiscard]] std::filesystem::path place(const std::string& id, SpecStatus status) const;

  std::filesystem::path root_;
};

}  // namespace foundry

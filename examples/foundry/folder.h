// SPDX-License-Identifier: Apache-2.0
// Specifications in a folder: STATUS/SPEC-ID/spec.md and STATUS/SPEC-ID/tasks.json. People may edit
// them; nothing is kept in memory between two calls. A file `.lock` beside them means that another
// program is at work there; it holds the name of that program.
#pragma once

#include "enfold/base/result.h"
#include "spec.h"

#include <filesystem>
#include <memory>
#include <mutex>

namespace foundry {

using enfold::Result;
using enfold::Status;

struct Shelf {
  std::vector<Spec> specs;           ///< by id
  std::vector<std::string> damaged;  ///< ids of those that cannot be read
};

class Folder {
 public:
  /// A folder that does not exist is made, as a copy of `sample` if there is one.
  [[nodiscard]] static Result<std::unique_ptr<Folder>> open(const std::filesystem::path& root,
                                                            const std::filesystem::path& sample);

  /// Held while a call reads and writes.
  [[nodiscard]] std::unique_lock<std::mutex> take_turn() { return std::unique_lock(turn_); }

  [[nodiscard]] Result<Shelf> all() const;
  /// `internal` when there is one and it cannot be read.
  [[nodiscard]] Result<std::optional<Spec>> find(const std::string& id) const;

  [[nodiscard]] Status create(const Spec& spec);
  [[nodiscard]] Status save_tasks(const Spec& spec);
  [[nodiscard]] Status move(const Spec& spec, SpecStatus to);
  [[nodiscard]] Status remove(const Spec& spec);

 private:
  explicit Folder(std::filesystem::path root) : root_(std::move(root)) {}
  [[nodiscard]] std::filesystem::path place(const std::string& id, SpecStatus status) const;

  std::filesystem::path root_;
  std::mutex turn_;
};

}  // namespace foundry

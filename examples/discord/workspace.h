// SPDX-License-Identifier: Apache-2.0
// A small simulated chat: guilds, channels and users from the operator's file, messages and filters
// from the state file. Its clock stands still until something is done and then goes on by a second,
// so the same calls always give the same answers.
#pragma once

#include "storage.h"

#include <filesystem>

namespace discord {

class Workspace {
 public:
  /// Fails for a file that cannot be read, is not as declared, or names what is not in it. Without
  /// a state file the state is that of `file`.
  [[nodiscard]] static enfold::Result<Workspace> open(const std::filesystem::path& file,
                                                      const std::filesystem::path& state);

  [[nodiscard]] const WorkspaceFile& all() const { return file_; }
  [[nodiscard]] const User& self() const { return *user(file_.self); }
  // nullptr: there is none.
  [[nodiscard]] const User* user(const std::string& id) const;
  [[nodiscard]] const Guild* guild(const std::string& id) const;
  [[nodiscard]] const Channel* channel(const std::string& id) const;
  [[nodiscard]] Message* message(const Channel& channel, const std::string& id);

  /// What a filter says by id or pattern; nullopt when only the default is left.
  [[nodiscard]] std::optional<FilterAction> decided(const Channel& channel) const;
  [[nodiscard]] bool is_shown(const Channel& channel) const;
  Filters& filters() { return file_.state.filters; }

  /// The moment at which something is done; each is a second after the one before.
  [[nodiscard]] std::int64_t next_moment();
  /// Gets its id, which tells its time, as ids of this kind do.
  const Message& add(Message message);
  void remove(const Message& message);

  /// Takes over what another process has saved.
  [[nodiscard]] enfold::Status refresh();

 private:
  friend class Change;
  Workspace(WorkspaceFile file, Storage storage)
      : file_(std::move(file)), storage_(std::move(storage)) {}
  [[nodiscard]] enfold::Status check() const;
  WorkspaceFile file_;
  Storage storage_;
};

/// Everything between begin and commit is saved, or undone.
class Change {
 public:
  [[nodiscard]] static enfold::Result<Change> begin(Workspace& workspace);
  Change(Change&& other) noexcept = default;
  Change& operator=(Change&&) = delete;
  ~Change();
  [[nodiscard]] enfold::Status commit();

 private:
  Change(Workspace& workspace, enfold::net::FileDescriptor lock)
      : workspace_(workspace), lock_(std::move(lock)), before_(workspace.file_.state) {}
  Workspace& workspace_;
  enfold::net::FileDescriptor lock_;
  std::optional<State> before_;  ///< nullopt: committed
};

/// Ids are numbers in text: the longer is the larger.
[[nodiscard]] bool id_less(std::string_view a, std::string_view b);

/// 2026-01-05T09:00:00.000Z
[[nodiscard]] std::string iso_time(std::int64_t milliseconds);

}  // namespace discord

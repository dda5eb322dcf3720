// SPDX-License-Identifier: Apache-2.0
// Which archive a verb uses, and as which principal. docs/reference/command-line.md has the rules.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/store/archive.h"

#include <filesystem>
#include <memory>
#include <string>

namespace enfold::cli {

/// The command line has one principal: file modes and the password of the server decide who may
/// open an archive.
inline constexpr std::string_view kPrincipal = "local";

/// Help text for --archive.
inline constexpr std::string_view kArchivePlaces =
    "The archive is a file (mode 0600, in a folder with mode 0700) or a Redis server:\n"
    "PATH, redis://[user:password@]host[:port][/db], redis+unix:///path[?db=N]. Default:\n"
    "$ENFOLD_ARCHIVE, else $XDG_STATE_HOME/enfold/archive.db, else\n"
    "~/.local/state/enfold/archive.db.\n\n";
/// Declares --archive. Parsing the arguments sets `place` to its value; else `place` stays.
void declare_archive_option(Arguments& arguments, std::string& place);

/// `$XDG_STATE_HOME/enfold`, else `~/.local/state/enfold`; `invalid_input` if neither is absolute.
[[nodiscard]] Result<std::filesystem::path> state_folder();

struct ArchivePlace {
  std::string place;           ///< a file or a URL, for store::open_archive
  std::filesystem::path file;  ///< the archive file; empty: the archive is on a Redis server
  /// The place for messages, without user and password.
  [[nodiscard]] std::string shown() const;
};

/// The place in `option` (the value of --archive), else `$ENFOLD_ARCHIVE`, else `archive.db` in the
/// state folder.
[[nodiscard]] Result<ArchivePlace> archive_place(const std::string& option);

using ArchivePointer = std::unique_ptr<store::Archive>;
/// For reading: a missing file is the error `not_found` and is not created.
[[nodiscard]] Result<ArchivePointer> open_existing(const ArchivePlace& place);
/// Creates a missing file.
[[nodiscard]] Result<ArchivePointer> open_or_make(const ArchivePlace& place,
                                                  const store::ArchiveOptions& options = {});

/// The time of the system clock.
[[nodiscard]] store::Time now();

/// In UTC: "2026-11-15T12:00:00Z".
[[nodiscard]] std::string to_text(store::Time time);

/// The file of the key that signs cursors: FILE.key beside the archive FILE; cursor.key in the
/// state folder for an archive on a server.
[[nodiscard]] Result<std::filesystem::path> cursor_key_file(const ArchivePlace& place);

/// nullopt: the key was not created yet. Fails if other users may read its file.
[[nodiscard]] Result<std::optional<contract::CursorKey>> existing_cursor_key(
    const ArchivePlace& place);
/// Creates the key if it does not exist.
[[nodiscard]] Result<contract::CursorKey> cursor_key(const ArchivePlace& place);

/// A key of zeros, to measure a page before the real key is created. A cursor that it signed must
/// not be shown.
[[nodiscard]] contract::CursorKey placeholder_cursor_key();

}  // namespace enfold::cli

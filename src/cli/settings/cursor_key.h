// SPDX-License-Identifier: Apache-2.0
// The key that signs cursors: 32 random bytes in a file with mode 0600, created on first use. It is
// beside the archive file, or in the state folder of the user if the archive is a server.
#pragma once

#include "cli/settings/archive_place.h"
#include "enfold/contract/cursors/cursor.h"

namespace enfold::cli {

[[nodiscard]] Result<std::filesystem::path> cursor_key_file(const ArchivePlace& place);

/// nullopt: not created yet. Fails if other users may read the file.
[[nodiscard]] Result<std::optional<contract::CursorKey>> existing_cursor_key(
    const ArchivePlace& place);
/// Creates it if it does not exist.
[[nodiscard]] Result<contract::CursorKey> cursor_key(const ArchivePlace& place);

/// A placeholder of the same length. Cursors signed with it must not be shown.
[[nodiscard]] contract::CursorKey unused_cursor_key();

}  // namespace enfold::cli

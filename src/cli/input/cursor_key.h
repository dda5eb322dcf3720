// SPDX-License-Identifier: Apache-2.0
// The secret that signs cursors: 32 bytes of chance in a file with mode 0600, made when it is first
// needed. Of an archive in a file it stands beside it, of a server in the user's state folder.
#pragma once

#include "cli/input/archive_place.h"
#include "enfold/contract/cursors/signed_cursor.h"

namespace enfold::cli {

[[nodiscard]] Result<std::filesystem::path> cursor_key_file(const ArchivePlace& place);

/// nullopt: there is none yet. Fails for a file that others may read.
[[nodiscard]] Result<std::optional<contract::CursorKey>> existing_cursor_key(
    const ArchivePlace& place);
/// Makes it when there is none.
[[nodiscard]] Result<contract::CursorKey> cursor_key(const ArchivePlace& place);

/// As long as a real one. Nothing that it signs may be given out.
[[nodiscard]] contract::CursorKey unused_cursor_key();

}  // namespace enfold::cli

// SPDX-License-Identifier: Apache-2.0
// The secret that signs cursors: 32 bytes of chance in a file with mode 0600, made when it is first
// needed. Of an archive in a file it stands beside it, of a server in the user's state folder.
#pragma once

#include "cli/archive_place.h"
#include "enfold/contract/signed_cursor.h"

namespace enfold::cli {

[[nodiscard]] Result<std::filesystem::path> cursor_key_file(const ArchivePlace& place);

/// Fails when there is none and none can be made, and for a file that others may read.
[[nodiscard]] Result<contract::CursorKey> cursor_key(const ArchivePlace& place);

}  // namespace enfold::cli

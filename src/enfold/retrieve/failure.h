// SPDX-License-Identifier: Apache-2.0
// What to answer when nothing can be retrieved, because of the handle or of the archive.
#pragma once

#include "enfold/base/result.h"
#include "enfold/model/response.h"

#include <string_view>

namespace enfold::retrieve {

/// What to answer when the archive gave an error for a handle or a hash: `handle_not_found`, damage
/// with the warning ARCHIVE_READ_CORRUPT, or an archive that cannot be reached.
[[nodiscard]] model::Response archive_failure(const Error& error, std::string_view reference);

/// The answer for a handle that is unknown, has expired, or belongs to someone else: one and the
/// same, so that nobody learns which.
[[nodiscard]] model::Response handle_not_found(std::string_view handle);

}  // namespace enfold::retrieve

// SPDX-License-Identifier: Apache-2.0
// Failures of retrieval: unknown handles and archive errors.
#pragma once

#include "enfold/base/result.h"
#include "enfold/model/response.h"

#include <string_view>

namespace enfold::retrieve {

/// The failure for an archive error: `handle_not_found`, a damaged entry (with the warning
/// ARCHIVE_READ_CORRUPT), or an unavailable archive.
[[nodiscard]] model::Response archive_failure(const Error& error, std::string_view reference);

/// The same failure for an unknown handle, an expired one, and one of another principal, so that a
/// caller cannot tell which it is.
[[nodiscard]] model::Response handle_not_found(std::string_view handle);

}  // namespace enfold::retrieve

// SPDX-License-Identifier: Apache-2.0
// An archive that is opened when it is first needed: most programs that might need one never do,
// and opening costs more than starting.
#pragma once

#include "enfold/store/archive.h"

#include <functional>
#include <memory>

namespace enfold::store {

using OpenArchive = std::function<Result<std::unique_ptr<Archive>>()>;

/// `open` is called by the first who needs it; while it fails, by the next one again.
[[nodiscard]] std::unique_ptr<Archive> lazy_archive(OpenArchive open);

}  // namespace enfold::store

// SPDX-License-Identifier: Apache-2.0
// An archive that is opened on first use: most programs never use it, and opening it takes longer
// than the rest of the startup.
#pragma once

#include "enfold/store/archive.h"

#include <functional>
#include <memory>

namespace enfold::store {

using OpenArchive = std::function<Result<std::unique_ptr<Archive>>()>;

/// The first use calls `open`; if that fails, the next use calls it again.
[[nodiscard]] std::unique_ptr<Archive> lazy_archive(OpenArchive open);

}  // namespace enfold::store

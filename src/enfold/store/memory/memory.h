// SPDX-License-Identifier: Apache-2.0
// Archive and counters in the memory of one process, lost when it ends.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

#include <memory>

namespace enfold::store {

[[nodiscard]] std::unique_ptr<Archive> memory_archive(const ArchiveOptions& options = {});
[[nodiscard]] std::unique_ptr<Counters> memory_counters();

}  // namespace enfold::store

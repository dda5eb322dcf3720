// SPDX-License-Identifier: Apache-2.0
// Memories as rows: the columns that every statement selects, in the order in which they are read,
// and the two things that a new row needs, an id and a time.
#pragma once

#include "database.h"
#include "memory.h"

namespace memory {

#define MEMORY_COLUMNS                                                                 \
  "memory.id,memory.content,memory.scope,memory.category,memory.tags,memory.metadata," \
  "memory.created,memory.updated,memory.revision"
inline constexpr int kMemoryColumns = 9;

[[nodiscard]] Memory read_memory(const Row& row);

[[nodiscard]] std::int64_t milliseconds_now();
[[nodiscard]] std::string time_text(std::int64_t milliseconds);  ///< 2026-01-02T03:04:05.678Z
[[nodiscard]] std::string new_id();                              ///< mem_ and 16 hex digits

}  // namespace memory

// SPDX-License-Identifier: Apache-2.0
// Time and memory that an SQL statement on the command line may take.
#pragma once

#include "enfold/retrieve/sql/sql.h"

namespace enfold::cli {

/// The statement may run for 30 seconds from this call on, and use 512 MiB.
[[nodiscard]] retrieve::SqlBounds sql_bounds();

}  // namespace enfold::cli

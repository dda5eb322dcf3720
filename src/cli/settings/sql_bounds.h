// SPDX-License-Identifier: Apache-2.0
// Time and memory that a statement on the command line may take.
#pragma once

#include "enfold/retrieve/sql/sql.h"

namespace enfold::cli {

/// Starts now: a statement may run for 30 seconds, and `now` is the time of the system.
[[nodiscard]] retrieve::SqlBounds sql_bounds();

}  // namespace enfold::cli

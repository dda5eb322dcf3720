// SPDX-License-Identifier: Apache-2.0
// Rows of a query, drawn for people or as CSV. Does no I/O.
#pragma once

#include "enfold/json/document.h"

#include <string>
#include <vector>

namespace enfold::cli {

/// Columns side by side, numbers to the right, values of more than 60 bytes shortened. `rows`: a
/// list of objects whose members are the columns, in their order.
[[nodiscard]] std::string drawn_table(const std::vector<std::string>& columns, json::View rows);

/// RFC 4180, with a header. Objects and lists are JSON; null is empty.
[[nodiscard]] std::string as_csv(const std::vector<std::string>& columns, json::View rows);

}  // namespace enfold::cli

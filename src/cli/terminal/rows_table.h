// SPDX-License-Identifier: Apache-2.0
// Rows of a query, drawn for people or as CSV. Does no I/O.
//
// `rows` is a list of objects. Their values are taken by position, not by key: each object has the
// members `columns`, in this order. Members after these are ignored; if some are missing, the row
// ends there.
#pragma once

#include "enfold/json/document.h"

#include <string>
#include <vector>

namespace enfold::cli {

/// A table in which numbers are aligned to the right and values of more than 60 bytes shortened.
[[nodiscard]] std::string drawn_table(const std::vector<std::string>& columns, json::View rows);

/// CSV (RFC 4180) with a header line. Objects and lists are written as JSON, null as an empty
/// field.
[[nodiscard]] std::string as_csv(const std::vector<std::string>& columns, json::View rows);

}  // namespace enfold::cli

// SPDX-License-Identifier: Apache-2.0
// Results of queries from the places that they selected.
#pragma once

#include "enfold/retrieve/retrieve.h"

namespace enfold::retrieve {

/// The value at a place; if the place is a range of lines, these lines.
[[nodiscard]] json::Value value_of(const answer::Place& place);
/// The result of a query that selected one place.
[[nodiscard]] QueryResult found_at(const answer::Place& place);
/// The result of a query that selected records: `records` are those inside the window, in order;
/// `total` counts also the records outside the window.
[[nodiscard]] QueryResult found_records(const std::vector<answer::Place>& records,
                                        std::size_t total, answer::Window window);
/// The last token of a pointer; empty if it has none.
[[nodiscard]] std::string last_name(const std::string& pointer);

}  // namespace enfold::retrieve

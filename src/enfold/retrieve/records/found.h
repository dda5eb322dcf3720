// SPDX-License-Identifier: Apache-2.0
// Results of queries from the places that they selected.
#pragma once

#include "enfold/retrieve/retrieve.h"

namespace enfold::retrieve {

/// The value at a place, or its lines.
[[nodiscard]] json::Value value_of(const answer::Place& place);
/// A value of the answer.
[[nodiscard]] QueryResult found_at(const answer::Place& place);
/// Selected records, in the given order.
[[nodiscard]] QueryResult found_records(const std::vector<answer::Place>& records,
                                        std::size_t total, answer::Window window);
/// The last token of a pointer; empty if it has none.
[[nodiscard]] std::string last_name(const std::string& pointer);

}  // namespace enfold::retrieve

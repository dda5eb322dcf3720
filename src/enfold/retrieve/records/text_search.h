// SPDX-License-Identifier: Apache-2.0
// Search for a text or a regular expression in an answer; the result shows where it matches.
#pragma once

#include "enfold/retrieve/retrieve.h"

namespace enfold::retrieve {

/// Bytes of JSON. A longer record is not shown as it is, only its matches.
inline constexpr std::size_t kLongRecord = 800;

/// Finds the records that select::Find describes; outside of lists it finds members, and in a text
/// of several lines it finds lines. The result has a short record as it is, and in place of a long
/// one {"matches": [{"at": …, "text": …}]}: pointers in the answer and surroundings of the first
/// five matches. If only the key of a member outside of lists matches, the member is shown as it
/// is.
[[nodiscard]] QueryResult find_text(const answer::Place& scope, const select::Find& wanted,
                                    answer::Window window);

}  // namespace enfold::retrieve

// SPDX-License-Identifier: Apache-2.0
// Search for a text or a regular expression in an answer, which shows the match.
#pragma once

#include "enfold/retrieve/retrieve.h"

namespace enfold::retrieve {

/// A record longer than this is shown by its matches.
inline constexpr std::size_t kLongRecord = 800;

/// Finds records with a key or scalar that contains the text; outside of lists it finds members,
/// and in a text of several lines lines. Visits every key and scalar once. A short record is the
/// value of its match; a long one is replaced by {"matches": [{"at": …, "text": …}]}.
[[nodiscard]] QueryResult find_text(const answer::Place& scope, const select::Find& wanted,
                                    answer::Window window);

}  // namespace enfold::retrieve

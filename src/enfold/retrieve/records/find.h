// SPDX-License-Identifier: Apache-2.0
// Looks for a text in an archived answer.
#pragma once

#include "enfold/answer/places.h"

#include <string_view>

namespace enfold::retrieve {

/// Records in which a key or a string holds the text, in any case; outside of the lists of records
/// the members, and of a text of several lines the lines. Every key and every string is looked at
/// once.
void find_text(const answer::Place& scope, std::string_view text, answer::Hits& hits);

}  // namespace enfold::retrieve

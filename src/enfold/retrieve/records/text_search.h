// SPDX-License-Identifier: Apache-2.0
// Full-text search in an archived answer.
#pragma once

#include "enfold/answer/stored/places.h"

#include <string_view>

namespace enfold::retrieve {

/// Finds records with a key or string that contains the text, ignoring case; outside of lists it
/// finds members, and in a multi-line text lines. Visits every key and string once.
void find_text(const answer::Place& scope, std::string_view text, answer::Hits& hits);

}  // namespace enfold::retrieve

// SPDX-License-Identifier: Apache-2.0
// Puts minified JSON text of our own making into what is written. The text of a number is the one
// thing that a Writer takes as it is, so this is how it is given.
#pragma once

#include "enfold/json/write.h"

#include <string_view>

namespace enfold::budget::detail {

inline void splice_text(json::Writer& writer, std::string_view json) { writer.number(json); }

}  // namespace enfold::budget::detail

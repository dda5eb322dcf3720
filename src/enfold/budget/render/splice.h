// SPDX-License-Identifier: Apache-2.0
// Writes minified JSON text verbatim. Uses Writer::number, which copies its text unchanged.
#pragma once

#include "enfold/json/write.h"

#include <string_view>

namespace enfold::budget::detail {

inline void splice_text(json::Writer& writer, std::string_view json) { writer.number(json); }

}  // namespace enfold::budget::detail

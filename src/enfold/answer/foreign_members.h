// SPDX-License-Identifier: Apache-2.0
// What an MCP result holds beside the answer: `_meta`, and members that Enfold does not know. They
// stay beside the answer, whether it is cut or not.
#pragma once

#include "enfold/answer/shape.h"

#include <string_view>
#include <vector>

namespace enfold::answer {

/// Those of the result that the answer was read from, after redaction; empty for anything else.
[[nodiscard]] std::vector<json::Member> foreign_members(const ReadAnswer& answer);

/// Into the open object of a result. The member `replaced_meta` of `_meta` is left out.
void write_foreign_members(const ReadAnswer& answer, std::string_view replaced_meta,
                           json::Writer& writer);

}  // namespace enfold::answer

// SPDX-License-Identifier: Apache-2.0
// What an MCP result holds beside the answer: `_meta`, and members that nobody here knows. They
// stay beside the answer, whatever becomes of it.
#pragma once

#include "enfold/answer/shape.h"

#include <vector>

namespace enfold::answer {

/// Those of the result that the answer was read from, after redaction; empty for anything else.
[[nodiscard]] std::vector<json::Member> foreign_members(const Understood& answer);

/// `result`, as `write_result` wrote it, with these members behind its own.
[[nodiscard]] json::Output with_members(json::Output result,
                                        const std::vector<json::Member>& members);

}  // namespace enfold::answer

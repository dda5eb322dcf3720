// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/result.h"

#include <array>

namespace enfold {

const ErrorMapping& mapping(ErrorCode code) {
  static constexpr std::array<ErrorMapping, 12> table{{
      // In the order of ErrorCode; columns as in ErrorMapping.
      {"invalid_input", -32602, 400, 4},
      {"unsupported", -32601, 501, 3},
      {"not_found", -32602, 404, 4},
      {"conflict", -32603, 409, 4},
      {"limit_exceeded", -32600, 413, 4},
      {"budget_too_small", -32602, 400, 5},
      {"protocol_violation", -32600, 400, 4},
      {"unauthorized", -32600, 401, 4},
      {"timed_out", -32603, 504, 1},
      {"cancelled", -32603, 499, 1},
      {"unavailable", -32603, 503, 1},
      {"internal", -32603, 500, 1},
  }};
  return table.at(static_cast<std::size_t>(code));
}

}  // namespace enfold

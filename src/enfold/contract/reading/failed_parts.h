// SPDX-License-Identifier: Apache-2.0
// Whether an answer names or counts parts of the call that failed, beside parts that succeeded.
#pragma once

#include "enfold/model/response.h"

#include <string>

namespace enfold::contract::detail {

/// How many parts of the call failed, and how many succeeded.
struct FailedParts {
  std::string failed;         ///< the key that names failed parts; empty: none
  bool succeeded = false;     ///< a part that succeeded is named or counted
  bool says_success = false;  ///< there is a member that counts successes
};
[[nodiscard]] FailedParts failed_parts(json::View data);

/// Whether a member describes a failure or the answer as such, and not its content. `key` is in the
/// form of plain().
[[nodiscard]] bool describes_failure(std::string_view key);
/// Null, false, an empty text, or a container that holds nothing else.
[[nodiscard]] bool is_empty(json::View value);
/// An HTTP status of 400 and above, as number or text.
[[nodiscard]] bool is_failed_status(json::View value);

}  // namespace enfold::contract::detail

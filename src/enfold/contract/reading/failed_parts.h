// SPDX-License-Identifier: Apache-2.0
// Whether an answer names or counts parts of the call that failed, beside parts that succeeded.
#pragma once

#include "enfold/model/response.h"

#include <string>
#include <string_view>

namespace enfold::contract::detail {

/// What an answer says about the parts of its call.
struct FailedParts {
  std::string failed;              ///< key or path of a member that names failed parts; empty: none
  bool succeeded = false;          ///< a part that succeeded is named or counted
  bool reports_successes = false;  ///< a member counts or lists successes; there may be none
};
/// `tool` is the name of the tool that answered, empty if it is not known. If the tool only reads,
/// numbers of failures and the statuses of items (but not those in `responses`) are its data, and
/// say nothing about parts of the call.
[[nodiscard]] FailedParts failed_parts(json::View data, std::string_view tool = {});

/// How many items of a list were read, at most the first 1,000, and how many of them say that they
/// failed.
struct ItemOutcomes {
  std::size_t failed = 0;
  std::size_t read = 0;
};
[[nodiscard]] ItemOutcomes outcomes_of_items(json::View list);

/// Whether the member with this key names or counts parts that failed. Keys are in the form of
/// plain() here and below.
[[nodiscard]] bool names_failed_parts(std::string_view key);
/// Whether a list under this key may be the responses to parts of a request.
[[nodiscard]] bool lists_parts(std::string_view key);
/// Whether the items are responses to parts of a request: one of the first sixteen has a status.
/// Looking at all items would take longer than everything else that is read from a long list.
[[nodiscard]] bool has_statuses(json::View list);

/// Whether a member describes a failure or the answer as such, and not its content. `key` is in the
/// form of plain().
[[nodiscard]] bool describes_failure(std::string_view key);
/// Null, false, an empty text or array, or an object whose members are all empty.
[[nodiscard]] bool is_empty(json::View value);
/// An HTTP status, as number or text.
[[nodiscard]] bool is_http_status(json::View value);
/// An HTTP status of 400 and above, as number or text.
[[nodiscard]] bool is_failed_status(json::View value);

}  // namespace enfold::contract::detail

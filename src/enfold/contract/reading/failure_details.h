// SPDX-License-Identifier: Apache-2.0
// What a failure says about the input that was wrong (`field`, `constraint`, `pattern`, `received`)
// or about the thing that is missing (`resource_type`, `resource_id`): from lists of violations as
// validators write them, else from the words of the message.
#pragma once

#include "enfold/model/response.h"

namespace enfold::contract::detail {

/// Whether the items of a list name fields and say what is wrong with them.
[[nodiscard]] bool lists_violations(json::View list);

/// Adds to `failure.details` what its message and `data`, the failed answer, say. Members that the
/// details have already, because the answer itself gave them, are kept as they are.
void add_details(model::Failure& failure, json::View data);

}  // namespace enfold::contract::detail

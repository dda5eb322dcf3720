// SPDX-License-Identifier: Apache-2.0
// The model as JSON of its own: what `explain --json` shows, and what a contract's extension slot
// carries for the fields it has no place for.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <vector>

namespace enfold::model {

/// Fields at their default are left out.
[[nodiscard]] json::Value to_json(const Response& response);

/// The fields of `want` that `have` does not hold, as an object: null resets a field, structs
/// are compared field by field. Empty object: nothing is missing.
[[nodiscard]] json::Value carry(const Response& want, const Response& have);

/// overlay(have, carry(want, have)) == want. Fields that are unknown or of the wrong type are
/// refused with their place.
[[nodiscard]] Status overlay(Response& response, json::View carried);

/// JSON Pointers of the fields that `want` holds and `have` does not, such as "/page/total".
[[nodiscard]] std::vector<std::string> missing_fields(const Response& want, const Response& have);

}  // namespace enfold::model

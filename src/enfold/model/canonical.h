// SPDX-License-Identifier: Apache-2.0
// The model as JSON: for `explain --json`, and for model fields in a contract's extension slot.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"
#include "enfold/model/response.h"

namespace enfold::model {

/// The response as JSON, without fields that have their default value and without
/// Failure::read_from_data.
[[nodiscard]] json::Value to_json(const Response& response);

/// The fields in which `want` differs from `have`, as an object; null resets a field, structs are
/// compared field by field, lists as a whole. Empty object: they are equal.
[[nodiscard]] json::Value carry(const Response& want, const Response& have);

/// Applies a result of `carry` to `response`: what was `have` becomes `want`. Unknown fields and
/// wrong types are errors with their JSON Pointer; then the response may be partly changed.
[[nodiscard]] Status overlay(Response& response, json::View carried);

/// JSON Pointers ("/page/total") of the fields of `want` that are not default and differ in `have`.
[[nodiscard]] std::vector<std::string> missing_fields(const Response& want, const Response& have);

}  // namespace enfold::model

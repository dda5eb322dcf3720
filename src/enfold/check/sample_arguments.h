// SPDX-License-Identifier: Apache-2.0
// Arguments for a tool that nobody has written any for: the least that its input schema accepts.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

namespace enfold::check {

/// What a schema offers itself comes first: const, default, examples, enum. `unsupported` when
/// nothing is found that the schema accepts, such as a text for a pattern.
[[nodiscard]] Result<json::Value> make_up_arguments(const json::Value& input_schema);

}  // namespace enfold::check

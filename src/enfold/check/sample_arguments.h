// SPDX-License-Identifier: Apache-2.0
// Generates sample arguments for a tool from its input schema.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

namespace enfold::check {

/// Only required members; values from const, default, examples or enum if the schema has them.
/// `unsupported` if no valid arguments are found, for example because of a pattern.
[[nodiscard]] Result<json::Value> sample_arguments(const json::Value& input_schema);

}  // namespace enfold::check

// SPDX-License-Identifier: Apache-2.0
// From a schema's text to a Program: every keyword is checked and read once.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/detail/schema_program.h"
#include "enfold/json/schema.h"

namespace enfold::json::detail {

[[nodiscard]] Result<Program> compile_schema(const Value& schema, const SchemaOptions& options);

}  // namespace enfold::json::detail

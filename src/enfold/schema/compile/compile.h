// SPDX-License-Identifier: Apache-2.0
// Compiles a schema to a Program.
#pragma once

#include "enfold/base/result.h"
#include "enfold/schema/compile/program.h"
#include "enfold/schema/schema.h"

namespace enfold::schema::detail {

[[nodiscard]] Result<Program> compile_schema(const json::Value& schema, const Options& options);

}  // namespace enfold::schema::detail

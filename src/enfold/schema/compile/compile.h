// SPDX-License-Identifier: Apache-2.0
// From a schema's text to a Program: every keyword is checked and read once.
#pragma once

#include "enfold/base/result.h"
#include "enfold/schema/compile/program.h"
#include "enfold/schema/schema.h"

namespace enfold::schema::detail {

[[nodiscard]] Result<Program> compile_schema(const json::Value& schema, const Options& options);

}  // namespace enfold::schema::detail

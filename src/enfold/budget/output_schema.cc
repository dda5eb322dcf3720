// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/output_schema.h"

namespace enfold::budget {

Result<OutputSchema> OutputSchema::compile(const json::Value& schema,
                                           const schema::Options& options) {
  auto compiled = schema::Schema::compile(schema, options);
  if (!compiled) return tl::unexpected(compiled.error());
  return OutputSchema(schema, *std::move(compiled));
}

}  // namespace enfold::budget

// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/output_schema.h"

namespace enfold::budget {

Result<OutputSchema> OutputSchema::compile(const json::Value& schema,
                                           const schema::Options& options) {
  ENFOLD_TRY(auto compiled, schema::Schema::compile(schema, options));
  return OutputSchema(schema, std::move(compiled));
}

}  // namespace enfold::budget

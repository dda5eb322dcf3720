// SPDX-License-Identifier: Apache-2.0
// The output schema of a tool, compiled once; a fitted payload must stay valid.
#pragma once

#include "enfold/base/result.h"
#include "enfold/schema/schema.h"

namespace enfold::budget {

class OutputSchema {
 public:
  /// Fails like schema::Schema::compile.
  [[nodiscard]] static Result<OutputSchema> compile(const json::Value& schema,
                                                    const schema::Options& options = {});

  [[nodiscard]] json::View view() const { return schema_.view(); }
  [[nodiscard]] Result<bool> accepts(json::View payload) const {
    return compiled_.accepts(payload);
  }
  [[nodiscard]] Result<schema::Validation> validate(json::View payload, std::size_t most) const {
    return compiled_.validate(payload, {}, most);
  }

 private:
  OutputSchema(json::Value schema, schema::Schema compiled)
      : schema_(std::move(schema)), compiled_(std::move(compiled)) {}
  json::Value schema_;
  schema::Schema compiled_;
};

}  // namespace enfold::budget

// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/declare/input_schema.h"

namespace enfold::tools::detail {

void write_example(json::Writer& writer, std::string_view example, bool is_text) {
  writer.key("examples").begin_array();
  const Result<json::Document> parsed =
      is_text ? Result<json::Document>(fail(ErrorCode::invalid_input, "text"))
              : json::parse(std::string(example));
  parsed ? writer.value(parsed->root()) : writer.string(example);
  writer.end_array();
}

}  // namespace enfold::tools::detail

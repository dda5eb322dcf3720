// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/declare/read_arguments.h"

namespace enfold::tools::detail {

bool has_type(json::View value, std::string_view type) {
  if (type == "boolean") return value.is_boolean();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return value.is_number();
}

}  // namespace enfold::tools::detail

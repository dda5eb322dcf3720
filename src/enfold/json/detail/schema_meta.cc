// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/schema_meta.h"

#include "enfold/base/embedded.h"
#include "enfold/json/detail/schema_uri.h"

#include <span>

namespace enfold::json::detail {

std::span<const EmbeddedFile> meta_schema_files();  // written by cmake/embed.cmake

const SchemaRegistry& meta_schemas() {
  static const SchemaRegistry registry = [] {
    SchemaRegistry all;
    for (const EmbeddedFile& file : meta_schema_files()) {
      Value schema = parse_own(file.text);
      const std::string id = schema->find("$id").value_or(View()).string();
      all.emplace(split_fragment(id).document, std::move(schema));
    }
    return all;
  }();
  return registry;
}

}  // namespace enfold::json::detail

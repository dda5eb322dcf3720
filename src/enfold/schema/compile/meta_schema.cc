// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/meta_schema.h"

#include "enfold/base/embedded.h"
#include "enfold/schema/compile/uri.h"

#include <span>

namespace enfold::schema::detail {

std::span<const EmbeddedFile> meta_schema_files();  // written by cmake/embed.cmake

const Registry& meta_schemas() {
  static const Registry registry = [] {
    Registry all;
    for (const EmbeddedFile& file : meta_schema_files()) {
      json::Value schema = json::parse_own(file.text);
      const std::string id = schema->find("$id").value_or(json::View()).string();
      all.emplace(split_fragment(id).document, std::move(schema));
    }
    return all;
  }();
  return registry;
}

}  // namespace enfold::schema::detail

// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/validator.h"

#include <map>

namespace enfold::contract {

const schema::Schema* validator(Id id) {
  static const auto schemas = [] {
    std::map<Id, schema::Schema> compiled;
    for (const Description& one : all()) {
      const std::optional<json::Value> document = schema(one.id);
      if (document) compiled.emplace(one.id, schema::Schema::compile(*document).value());
    }
    return compiled;
  }();
  const auto found = schemas.find(id);
  return found != schemas.end() ? &found->second : nullptr;
}

}  // namespace enfold::contract

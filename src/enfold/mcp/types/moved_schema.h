// SPDX-License-Identifier: Apache-2.0
// Writes a JSON Schema for a place inside a larger schema.
#pragma once

#include "enfold/json/write.h"

#include <string_view>

namespace enfold::mcp {

/// What decides whether a schema means the same at another place.
struct SchemaTraits {
  bool local = false;    ///< has references "#" or "#/…", which write_moved() adapts
  bool foreign = false;  ///< has an id, or references by id or anchor, which it cannot adapt
  bool dated = false;    ///< has keywords of older dialects that 2020-12 reads in another way
};
[[nodiscard]] SchemaTraits traits_of(json::View schema);

/// Writes the schema without its `$schema`, which only the root of a document may have, and adapts
/// its local references to `place`, a JSON Pointer. The schema must not be `foreign`.
void write_moved(json::Writer& writer, json::View schema, std::string_view place);

}  // namespace enfold::mcp

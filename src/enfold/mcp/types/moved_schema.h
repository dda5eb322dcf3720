// SPDX-License-Identifier: Apache-2.0
// Writes a JSON Schema for a place inside a larger schema.
#pragma once

#include "enfold/json/write.h"

#include <string_view>

namespace enfold::mcp {

/// The kind of a value in a schema: a schema, an object of named schemas, or data. A member
/// `default` may be data, or a property of this name.
enum class PlaceKind { schema, schemas, data };
[[nodiscard]] PlaceKind kind_of_member(PlaceKind here, json::View key);

/// Whether a `$ref` points into its own schema by JSON Pointer: "#" or "#/…".
[[nodiscard]] bool is_local_reference(json::View reference);

/// Writes the schema without its `$schema`, which only the root of a document may have, and adapts
/// its local references to `place`, a JSON Pointer. In a schema with an `$id` they stay unchanged:
/// there they are relative to that schema.
void write_moved(json::Writer& writer, json::View schema, std::string_view place);

}  // namespace enfold::mcp

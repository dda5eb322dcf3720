// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/moved_schema.h"

#include "enfold/mcp/types/overlay.h"

#include <string>

namespace enfold::mcp {
namespace {

/// The kind of a value inside a schema: a schema, an object of named schemas, or data. It depends
/// on the place: a member `default` is data in a schema, and a schema among named schemas.
enum class PlaceKind { schema, schemas, data };

// The kind of a member's value, in a value of kind `here`.
PlaceKind kind_of_member(PlaceKind here, json::View key) {
  if (here != PlaceKind::schema)
    return here == PlaceKind::schemas ? PlaceKind::schema : PlaceKind::data;
  for (const std::string_view name : {"const", "enum", "default", "examples"}) {
    if (key.equals(name)) return PlaceKind::data;
  }
  for (const std::string_view name : {"properties", "patternProperties", "$defs", "definitions",
                                      "dependentSchemas", "dependencies"}) {
    if (key.equals(name)) return PlaceKind::schemas;
  }
  return PlaceKind::schema;
}

// Whether a `$ref` points into its own schema by JSON Pointer: "#" or "#/…".
bool is_local_reference(json::View reference) {
  if (!reference.is_string()) return false;
  const std::string target = reference.string();
  return target == "#" || target.starts_with("#/");
}

// Whether a keyword comes from an older dialect and means something else, or nothing, in 2020-12.
bool is_dated(const json::Member& member) {
  const json::View key = member.key;
  if (key.equals("items")) return member.value.is_array();
  if (key.equals("exclusiveMinimum") || key.equals("exclusiveMaximum")) {
    return member.value.is_boolean();
  }
  return key.equals("additionalItems") || key.equals("dependencies");
}

// `here`: the kind of `value`.
void find_traits(json::View value, PlaceKind here, SchemaTraits& found) {
  for (const json::View item : value.items()) find_traits(item, here, found);
  for (const json::Member& member : value.members()) {
    const auto is = [&](std::string_view key) { return member.key.equals(key); };
    if (here == PlaceKind::schema && member.value.is_string()) {
      const bool is_local = is("$ref") && is_local_reference(member.value);
      found.local = found.local || is_local;
      found.foreign = found.foreign || (is("$ref") && !is_local) || is("$dynamicRef") ||
                      is("$recursiveRef") || is("$id") || is("id");
    }
    found.dated = found.dated || (here == PlaceKind::schema && is_dated(member));
    find_traits(member.value, kind_of_member(here, member.key), found);
  }
}

// `here`: the kind of `value`. `place`: as in write_moved().
void write_value(json::Writer& writer, json::View value, PlaceKind here, std::string_view place) {
  const bool is_schema = here == PlaceKind::schema;
  if (value.is_array()) {
    writer.begin_array();
    for (const json::View item : value.items()) write_value(writer, item, here, place);
    writer.end_array();
  } else if (value.is_object()) {
    writer.begin_object();
    for (const json::Member& member : value.members()) {
      writer.key(member.key);
      if (is_schema && member.key.equals("$ref") && is_local_reference(member.value)) {
        writer.string("#" + std::string(place) + member.value.string().substr(1));
      } else {
        write_value(writer, member.value, kind_of_member(here, member.key), place);
      }
    }
    writer.end_object();
  } else {
    writer.value(value);
  }
}

}  // namespace

SchemaTraits traits_of(json::View schema) {
  SchemaTraits found;
  find_traits(schema, PlaceKind::schema, found);
  return found;
}

void write_moved(json::Writer& writer, json::View schema, std::string_view place) {
  json::Writer copy;
  Overlay().without("$schema").write(copy, schema);
  const json::Value without_dialect = std::move(copy).finish_value();
  write_value(writer, without_dialect.view(), PlaceKind::schema, place);
}

}  // namespace enfold::mcp

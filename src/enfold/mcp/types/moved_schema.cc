// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/moved_schema.h"

#include "enfold/mcp/types/overlay.h"

#include <string>

namespace enfold::mcp {
namespace {

void write_value(json::Writer& writer, json::View value, PlaceKind here, std::string_view place) {
  const bool is_schema = here == PlaceKind::schema;
  if (value.is_array()) {
    writer.begin_array();
    for (const json::View item : value.items()) write_value(writer, item, here, place);
    writer.end_array();
  } else if (value.is_object() && !(is_schema && json::string_member(value, "$id"))) {
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

bool is_local_reference(json::View reference) {
  if (!reference.is_string()) return false;
  const std::string target = reference.string();
  return target == "#" || target.starts_with("#/");
}

void write_moved(json::Writer& writer, json::View schema, std::string_view place) {
  json::Writer copy;
  Overlay().without("$schema").write(copy, schema);
  const json::Value without_dialect = std::move(copy).finish_value();
  write_value(writer, without_dialect.view(), PlaceKind::schema, place);
}

}  // namespace enfold::mcp

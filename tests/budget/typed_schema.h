// SPDX-License-Identifier: Apache-2.0
// Schemas as typed tools declare them: objects whose members are named and closed, maps whose
// values have a type, lists of one type. None of them leaves room for marks.
#pragma once

#include "tests/budget/data_sets.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace enfold::testing {

inline std::string_view type_name(json::View value) {
  static constexpr std::string_view names[] = {"null",   "boolean", "number",
                                               "string", "array",   "object"};
  return names[static_cast<std::size_t>(value.kind())];
}

inline void write_typed_schema(Dice& dice, json::Writer& w, const std::vector<json::View>& values,
                               int depth);

// The schema of members or items, if all values are objects (or arrays), of which one type is made.
inline void write_typed_struct(Dice& dice, json::Writer& w, const std::vector<json::View>& values,
                               int depth) {
  std::vector<std::string> names;
  for (const json::View value : values) {
    for (const auto& [key, member] : value.members()) {
      const std::string name = key.string();
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::vector<std::string> required;
  w.key("properties").begin_object();
  for (const std::string& name : names) {
    std::vector<json::View> there;
    for (const json::View value : values) {
      if (const auto member = value.find(name)) there.push_back(*member);
    }
    if (there.size() == values.size() && dice.chance(60)) required.push_back(name);
    w.key(name);
    write_typed_schema(dice, w, there, depth - 1);
  }
  w.end_object().member("additionalProperties", false).key("required").begin_array();
  for (const std::string& name : required) w.string(name);
  w.end_array();
}

/// A schema that all the values meet.
inline void write_typed_schema(Dice& dice, json::Writer& w, const std::vector<json::View>& values,
                               int depth) {
  std::set<std::string_view> types;
  for (const json::View value : values) types.insert(type_name(value));
  w.begin_object();
  if (!types.empty()) {
    w.key("type").begin_array();
    for (const std::string_view type : types) w.string(type);
    w.end_array();
  }
  const bool closed = types.size() == 1 && depth > 0;
  std::vector<json::View> inner;
  if (closed && types.contains("array")) {
    for (const json::View value : values) {
      for (const json::View item : value.items()) inner.push_back(item);
    }
    w.key("items");
    write_typed_schema(dice, w, inner, depth - 1);
  } else if (closed && types.contains("object")) {
    if (dice.chance(50)) {
      write_typed_struct(dice, w, values, depth);
    } else {
      for (const json::View value : values) {
        for (const auto& [key, member] : value.members()) inner.push_back(member);
      }
      w.key("additionalProperties");
      write_typed_schema(dice, w, inner, depth - 1);
    }
  }
  w.end_object();
}

[[nodiscard]] inline json::Value typed_schema_of(json::View value, std::uint64_t seed) {
  Dice dice(seed);
  json::Writer writer;
  write_typed_schema(dice, writer, {value}, /*depth=*/5);
  return std::move(writer).finish_value();
}

}  // namespace enfold::testing

// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/sent_arguments.h"

#include "enfold/tools/declare/problems.h"

#include <algorithm>

namespace enfold::tools {
namespace {

// Whether null is no value of this schema, as far as its keywords tell. A reference leads to a
// struct: these are schemas that the library has made.
bool excludes_null(json::View schema) {
  if (schema.find("$ref")) return true;
  if (const auto any = schema.find("anyOf"))
    return std::ranges::all_of(any->items(), excludes_null);
  const auto type = schema.find("type");
  if (!type) return false;
  const auto is_null = [](json::View one) { return one.equals("null"); };
  return !is_null(*type) && std::ranges::none_of(type->items(), is_null);
}

// Whether null in place of a member of an object with this schema means that it is left out: it is
// declared, may be left out, and null is no value of it.
bool means_left_out(json::View schema, std::string_view name) {
  const auto required = schema.find("required");
  for (const json::View one : required.value_or(json::View()).items()) {
    if (one.equals(name)) return false;
  }
  const auto properties = schema.find("properties");
  const auto declared = properties ? properties->find(name) : std::nullopt;
  if (!declared) return false;
  return excludes_null(*declared);
}

// Writes a value of an argument without the nulls that mean "left out". `tokens`: its place.
void write_without_nulls(json::View value, json::View root, std::vector<std::string>& tokens,
                         json::Writer& writer) {
  if (!value.is_container()) {
    writer.value(value);
    return;
  }
  const auto write_part = [&](std::string token, json::View part) {
    tokens.push_back(std::move(token));
    write_without_nulls(part, root, tokens, writer);
    tokens.pop_back();
  };
  if (value.is_array()) {
    writer.begin_array();
    std::size_t index = 0;
    for (const json::View item : value.items()) write_part(std::to_string(index++), item);
    writer.end_array();
    return;
  }
  const json::View schema = schema_at(root, tokens);
  writer.begin_object();
  for (const json::Member& member : value.members()) {
    std::string name = member.key.string();
    if (member.value.is_null() && means_left_out(schema, name)) continue;
    writer.key(member.key);
    write_part(std::move(name), member.value);
  }
  writer.end_object();
}

}  // namespace

json::Value clean_arguments(const json::Value& sent, const OfferedTool& tool) {
  const auto is_dropped = [&](const json::Member& member) {
    if (!member.value.is_null() && !is_level_argument(member.key)) return false;
    const std::string name = member.key.string();
    const bool declared = has_name(tool.arguments, name);
    return declared ? member.value.is_null() && !has_name(tool.required, name)
                    : is_level_argument(member.key);
  };
  const bool looks_inside = tool.argument_policy == ArgumentPolicy::checked &&
                            sent->raw().find("null") != std::string_view::npos;
  bool any = sent->is_null() || looks_inside;
  for (const json::Member& member : sent->members()) any = any || is_dropped(member);
  if (!any) return sent;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : sent->members()) {
    if (is_dropped(member)) continue;
    writer.key(member.key);
    if (looks_inside) {
      std::vector<std::string> tokens{member.key.string()};
      write_without_nulls(member.value, tool.spec.input_schema.view(), tokens, writer);
    } else {
      writer.value(member.value);
    }
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::tools

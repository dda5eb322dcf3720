// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/sent_arguments.h"

#include "enfold/tools/declare/problems.h"

namespace enfold::tools {
namespace {

// Whether the keywords of the schema show that null does not match it. `steps`: how many references
// and choices it may still lead through.
bool excludes_null(json::View schema, json::View root, int steps = 8) {
  if (steps == 0) return false;
  if (schema.find("$ref")) return excludes_null(followed(schema, root), root, steps - 1);
  if (const auto any = schema.find("anyOf")) {
    return std::ranges::all_of(any->items(),
                               [&](json::View one) { return excludes_null(one, root, steps - 1); });
  }
  const auto type = schema.find("type");
  if (!type) return false;
  const auto is_null = [](json::View one) { return one.equals("null"); };
  return !is_null(*type) && std::ranges::none_of(type->items(), is_null);
}

// Whether null as the value of a member means that the member is left out: the schema of the object
// declares the member, does not require it, and does not allow null for it.
bool means_left_out(json::View schema, json::View root, std::string_view name) {
  const auto required = schema.find("required");
  for (const json::View one : required.value_or(json::View()).items()) {
    if (one.equals(name)) return false;
  }
  const auto properties = schema.find("properties");
  const auto declared = properties ? properties->find(name) : std::nullopt;
  if (!declared) return false;
  return excludes_null(*declared, root);
}

// Writes a part of the arguments without the nulls that mean "left out". `root`: the input schema.
// `tokens`: the place of the value in the arguments.
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
    if (member.value.is_null() && means_left_out(schema, root, name)) continue;
    writer.key(member.key);
    write_part(std::move(name), member.value);
  }
  writer.end_object();
}

}  // namespace

json::Value clean_arguments(const json::Value& sent, const OfferedTool& tool) {
  // Whether an argument itself is left out.
  const auto is_dropped = [&](const json::Member& member) {
    if (!member.value.is_null() && !is_level_argument(member.key)) return false;
    const std::string name = member.key.string();
    const bool declared = has_name(tool.arguments, name);
    return declared ? member.value.is_null() && !has_name(tool.required, name)
                    : is_level_argument(member.key);
  };
  // Whether there may be nulls to remove inside the arguments.
  const bool looks_inside = tool.argument_policy == ArgumentPolicy::checked &&
                            sent->raw().find("null") != std::string_view::npos;
  bool may_change = sent->is_null() || looks_inside;
  for (const json::Member& member : sent->members()) may_change = may_change || is_dropped(member);
  if (!may_change) return sent;
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

json::Value without_nulls(const json::Value& sent, json::View input_schema) {
  json::Writer writer;
  std::vector<std::string> tokens;
  write_without_nulls(sent.view(), input_schema, tokens, writer);
  return std::move(writer).finish_value();
}

}  // namespace enfold::tools

// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/offered_tool.h"

#include "enfold/answer/announced_schema.h"
#include "enfold/answer/shape.h"
#include "enfold/json/pointer.h"
#include "enfold/level/decide.h"

#include <fmt/core.h>

namespace enfold::tools {
namespace {

// The input schema with the arguments that choose the level, for a tool whose answers have levels.
json::Value with_level_argument(const json::Value& schema) {
  if (const auto properties = schema->find("properties");
      properties && properties->find(level::kLevelArgument)) {
    return schema;
  }
  json::Writer writer;
  writer.begin_object();
  bool written = false;
  const auto write_properties = [&](std::optional<json::View> given) {
    written = true;
    writer.key("properties").begin_object();
    if (given) {
      for (const json::Member& member : given->members()) {
        writer.key(member.key).value(member.value);
      }
    }
    writer.key(level::kLevelArgument).begin_object().member("type", "string");
    writer.key("enum").begin_array();
    for (const std::string_view name : model::Names<model::Level>::values) writer.string(name);
    writer.end_array().member("description", "How much detail; minimal unless said.");
    writer.end_object();
    if (!given || !given->find(level::kRichArgument)) {
      writer.key(level::kRichArgument).begin_object().member("type", "boolean");
      writer.member("description", "true: level full").end_object();
    }
    writer.end_object();
  };
  for (const json::Member& member : schema->members()) {
    if (member.key.equals("properties") && member.value.is_object()) {
      write_properties(member.value);
    } else {
      writer.key(member.key).value(member.value);
    }
  }
  if (!written) write_properties(std::nullopt);
  writer.end_object();
  return std::move(writer).finish_value();
}

// The error with `about` and a colon before its message.
tl::unexpected<Error> prefixed(const Error& error, std::string_view about) {
  return fail(error.code, fmt::format("{}: {}", about, error.message), error.where, error.hint);
}

tl::unexpected<Error> error_of_tool(const Error& error, const std::string& tool) {
  return prefixed(error, "tool " + tool);
}

// Fails if the value does not match the part of the input schema at `pointer`. `root` holds only
// the input schema. `what`: the name of the value in the message.
Status check_value(const schema::Registry& root, const std::string& pointer, std::string_view what,
                   json::View value) {
  json::Writer writer;
  writer.begin_object().member("$ref", fmt::format("{}#{}", root.begin()->first, pointer));
  writer.end_object();
  ENFOLD_TRY(const schema::Schema part,
             schema::Schema::compile(std::move(writer).finish_value(), {.registry = &root}));
  ENFOLD_TRY(const schema::Validation checked, part.validate(value));
  if (checked.valid) return {};
  const schema::Violation& first = checked.violations.front();
  return fail(ErrorCode::invalid_input,
              fmt::format("{}: expected {}, found {}", what, first.expected, first.found));
}

// Fails if the value of the keyword `least` is larger than that of `most`.
Status check_order(json::View schema, std::string_view least, std::string_view most) {
  const auto low = schema.find(least);
  const auto high = schema.find(most);
  if (!low || !high || low->real() <= high->real()) return {};
  return fail(ErrorCode::invalid_input, fmt::format("expected {} of at most {} {}, found {}", least,
                                                    most, high->number(), low->number()));
}

// Fails if limits, default and examples of an argument at `pointer`, or of what is in it,
// contradict each other. A default that is an object is not checked, because its members have
// defaults of their own.
Status check_declared(const schema::Registry& root, json::View schema, const std::string& pointer) {
  ENFOLD_TRY(check_order(schema, "minimum", "maximum"));
  ENFOLD_TRY(check_order(schema, "minLength", "maxLength"));
  ENFOLD_TRY(check_order(schema, "minItems", "maxItems"));
  if (const auto value = schema.find("default"); value && !value->is_object()) {
    ENFOLD_TRY(check_value(root, pointer, "default", *value));
  }
  if (const auto examples = schema.find("examples")) {
    for (const json::View one : examples->items()) {
      ENFOLD_TRY(check_value(root, pointer, "example", one));
    }
  }
  if (const auto items = schema.find("items"); items && items->is_object()) {
    ENFOLD_TRY(check_declared(root, *items, pointer + "/items"));
  }
  if (const auto properties = schema.find("properties")) {
    for (const json::Member& member : properties->members()) {
      const std::string name = member.key.string();
      const Status status =
          check_declared(root, member.value, json::below(pointer + "/properties", name));
      if (!status) return prefixed(status.error(), "argument " + name);
    }
  }
  return {};
}

}  // namespace

Result<OfferedTool> offer(ToolSpec spec, ArgumentPolicy arguments, std::string_view version,
                          const std::optional<redact::Policy>& redaction) {
  Result<schema::Schema> input = schema::Schema::compile(spec.input_schema);
  if (!input) return error_of_tool(input.error(), spec.name);
  if (arguments == ArgumentPolicy::checked) {
    const schema::Registry root{{"input:", spec.input_schema}};  // the URI may be any
    const Status declared = check_declared(root, spec.input_schema.view(), "");
    if (!declared) return error_of_tool(declared.error(), spec.name);
  }
  Result<mcp::ParamHeaders> headers = mcp::read_param_headers(spec.input_schema.view());
  if (!headers) return error_of_tool(headers.error(), spec.name);
  OfferedTool tool{
      .argument_policy = arguments, .input = std::move(*input), .headers = std::move(*headers)};
  if (const auto names = spec.input_schema->find("required")) {
    for (const json::View name : names->items()) tool.required.push_back(name.string());
  }
  if (const auto properties = spec.input_schema->find("properties")) {
    for (const json::Member& member : properties->members()) {
      tool.arguments.push_back(member.key.string());
    }
  }
  if (spec.has_levels) spec.input_schema = with_level_argument(spec.input_schema);
  if (!spec.payload_schema->is_null()) {
    Result<budget::OutputSchema> payload = budget::OutputSchema::compile(spec.payload_schema);
    if (!payload) return error_of_tool(payload.error(), spec.name);
    tool.payload = std::move(*payload);
  }
  tool.has_clean_name =
      redaction &&
      answer::is_clean_tool(spec.name, spec.version.empty() ? version : spec.version, *redaction);
  tool.spec = std::move(spec);
  return tool;
}

mcp::Tool as_mcp(const OfferedTool& tool, AnswerContract contract, bool structured) {
  mcp::Tool out;
  out.name = tool.spec.name;
  if (!tool.spec.title.empty()) out.title = tool.spec.title;
  out.description = tool.spec.description;
  out.input_schema = tool.spec.input_schema;
  if (!tool.spec.meta->is_null()) {
    json::Writer writer;
    // mcp::write copies members that mcp::Tool does not have, such as _meta, from `original`.
    writer.begin_object().member("_meta", tool.spec.meta).end_object();
    out.original = std::move(writer).finish_value();
  }
  if (tool.spec.announces_output && (!contract || structured)) {
    json::Value schema = tool.output_schema(contract);
    if (!schema->is_null()) out.output_schema = std::move(schema);
  }
  if (!tool.spec.annotations.empty()) {
    json::Writer writer;
    writer.begin_object();
    for (const auto& [hint, value] : tool.spec.annotations) writer.member(hint, value);
    writer.end_object();
    out.annotations = std::move(writer).finish_value();
  }
  return out;
}

AnswerContract answer_contract(std::string_view name) {
  return name == "none" ? std::nullopt : contract::from_name(name);
}

json::Value OfferedTool::output_schema(AnswerContract contract) const {
  // An answer of text or blocks (no payload schema) has a structure only inside an envelope.
  if (!contract) return spec.payload_schema;
  if (spec.payload_schema->is_null()) {
    return answer::announced_schema(*contract, json::parse_own("{}").view());
  }
  return answer::announced_schema(*contract, spec.payload_schema.view());
}

}  // namespace enfold::tools

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/tool_table.h"

#include "enfold/answer/announced_schema.h"
#include "enfold/base/hidden_text.h"
#include "enfold/mcp/types/moved_schema.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

// Compiling a schema of this size takes at most some 50 ms, whatever it contains.
constexpr std::size_t kLargestSchema = std::size_t{64} << 10;

Result<budget::OutputSchema> compile_output_schema(const json::Value& schema) {
  if (const std::size_t bytes = schema->raw().size(); bytes > kLargestSchema) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("the schema has {} bytes, more than {}", bytes, kLargestSchema));
  }
  return budget::OutputSchema::compile(schema);
}

// `version`: of the server. The output schema is not compiled yet.
OfferedToolPtr make_offered_tool(const mcp::Tool& tool, const std::string& version) {
  auto out = std::make_shared<tools::OfferedTool>();
  out->argument_policy = tools::ArgumentPolicy::as_sent;
  out->spec.name = tool.name;
  out->spec.version = version;
  out->spec.description = without_hidden(tool.description.value_or(""));
  out->spec.input_schema = tool.input_schema;
  for (const char* const hint : {"readOnlyHint", "idempotentHint"}) {
    const auto value = tool.annotations ? (*tool.annotations)->find(hint) : std::nullopt;
    if (value && value->is_boolean()) out->spec.annotations.emplace_back(hint, value->boolean());
  }
  if (auto headers = mcp::read_param_headers(tool.input_schema.view())) {
    out->headers = std::move(*headers);
  }
  if (tool.output_schema) {
    out->spec.payload_schema = *tool.output_schema;
    out->answers_in_envelope = contract::describes_envelope(tool.output_schema->view());
  }
  return out;
}

// The JSON Pointer at which answer::announced_schema puts the payload's schema. Empty: the contract
// spreads the parts of that schema over the envelope's, so references within it would break.
std::string_view payload_place(contract::Id contract) {
  switch (contract) {
    case contract::Id::response_v2:
    case contract::Id::scalpel_v1: return "/anyOf/0/properties/data";
    default: return {};
  }
}

// The type that the schema names; empty: none, or more than one.
std::string_view root_type(json::View schema) {
  const auto type = schema.find("type");
  if (!type || !type->is_string()) return "";
  for (const std::string_view name :
       {"object", "array", "string", "number", "integer", "boolean", "null"}) {
    if (type->equals(name)) return name;
  }
  return "";
}

}  // namespace

json::Value payload_schema(const json::Value& output_schema, contract::Id contract) {
  json::Value anything = json::parse_own("{}");
  if (!output_schema->is_object() || contract::describes_envelope(output_schema.view()))
    return anything;
  const std::string_view type = root_type(output_schema.view());
  if (type.empty()) return anything;
  const mcp::SchemaTraits found = mcp::traits_of(output_schema.view());
  std::string place(payload_place(contract));
  // A schema inside the envelope's schema cannot name another dialect.
  if (found.foreign || found.dated || (found.local && place.empty())) return anything;
  // If the contract needs an object, an array is its member "items" and a scalar its member
  // "result".
  const bool wrapped = type != "object";
  if (wrapped && contract != contract::Id::response_v2) return anything;
  const std::string_view member = type == "array" ? "items" : "result";
  if (wrapped) place += "/properties/" + std::string(member);
  json::Writer writer;
  if (wrapped) {
    writer.begin_object().member("type", "object").key("properties").begin_object().key(member);
  }
  mcp::write_moved(writer, output_schema.view(), place);
  if (wrapped) {
    writer.end_object().key("required").begin_array().string(member).end_array().end_object();
  }
  return std::move(writer).finish_value();
}

void ToolTable::replace(const std::vector<json::Value>& tools, std::string version) {
  version_ = std::move(version);
  clear();
  std::set<std::string> shown_names;
  for (const json::Value& one : tools) {
    const Result<mcp::Tool> tool = mcp::read_tool(one.view());
    // Of tools that clients see under one name, only the first is listed and can be called.
    std::string shown = tool ? without_hidden(tool->name) : std::string();
    if (!tool || !shown_names.insert(shown).second) continue;
    tools_[tool->name] = make_offered_tool(*tool, version_);
    if (shown != tool->name) real_names_.emplace(std::move(shown), tool->name);
  }
}

OfferedToolPtr ToolTable::prepare(std::string_view name, const UnusableSchema& unusable) {
  const auto found = tools_.find(name);
  if (found == tools_.end()) return make_unlisted_tool(name);
  OfferedToolPtr& tool = found->second;
  if (unusable_.contains(name)) return tool;
  Result<budget::OutputSchema> compiled = compile_output_schema(tool->spec.payload_schema);
  if (!compiled) {
    unusable_.emplace(name);
    if (unusable) unusable(compiled.error());
    return tool;
  }
  auto checked = std::make_shared<tools::OfferedTool>(*tool);
  checked->payload = std::move(*compiled);
  return tool = std::move(checked);
}

OfferedToolPtr ToolTable::make_unlisted_tool(std::string_view name) const {
  auto tool = std::make_shared<tools::OfferedTool>();
  tool->argument_policy = tools::ArgumentPolicy::as_sent;
  tool->spec.name = name;
  tool->spec.version = version_;
  return tool;
}

std::vector<std::string> ToolTable::names() const {
  std::vector<std::string> out;
  out.reserve(tools_.size());
  for (const auto& [name, tool] : tools_) out.push_back(name);
  return out;
}

json::Value shown_schema(const json::Value& declared, contract::Id contract, OutputCheck check) {
  return answer::announced_schema(contract, payload_schema(declared, contract).view(),
                                  check == OutputCheck::warn ? answer::Payloads::or_with_warning
                                                             : answer::Payloads::as_declared);
}

Result<mcp::Tool> shown_tool(json::View tool, std::string name, tools::AnswerContract contract,
                             OutputCheck check) {
  Result<mcp::Tool> shown = mcp::read_tool(tool);
  if (!shown) return shown;
  shown->name = std::move(name);
  if (!contract) return shown;
  shown->output_schema =
      shown_schema(shown->output_schema.value_or(json::Value()), *contract, check);
  return shown;
}

}  // namespace enfold::gateway

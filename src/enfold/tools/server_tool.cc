// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/server_tool.h"

#include "enfold/base/text.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/errors/failures.h"

#include <algorithm>
#include <array>

namespace enfold::tools {
namespace {

constexpr std::array<std::string_view, 5> kActions{"capabilities", "capability-negotiate", "tools",
                                                   "schema", "flags"};

// Names are accepted with either separator: models mix them up.
std::string action_of(json::View arguments) {
  const auto named = arguments.find("action");
  if (!named || !named->is_string()) return {};
  std::string action = named->string();
  std::replace(action.begin(), action.end(), '_', '-');
  return action;
}

std::vector<std::string> action_names() { return {kActions.begin(), kActions.end()}; }

model::Response list_tools(const ServerFacts& facts) {
  json::Writer data;
  data.begin_object().key("tools").begin_array();
  for (const ToolFact& tool : facts.tools) {
    data.begin_object().member("name", tool.name).member("description", tool.description);
    data.end_object();
  }
  data.end_array().end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

model::Response schema_of_tool(json::View arguments, const ServerFacts& facts) {
  const auto named = arguments.find("tool");
  if (!named || !named->is_string()) {
    return contract::make_failure(contract::failures::MissingRequired{.field = "tool"});
  }
  const std::string name = named->string();
  const auto found = std::find_if(facts.tools.begin(), facts.tools.end(),
                                  [&](const ToolFact& tool) { return tool.name == name; });
  if (found == facts.tools.end()) {
    std::vector<std::string> known;
    known.reserve(facts.tools.size());
    for (const ToolFact& tool : facts.tools) known.push_back(tool.name);
    return contract::make_failure(contract::failures::NotFound{
        .resource_type = "Tool",
        .resource_id = name,
        .extra = {.remediation = {
                      did_you_mean(name, known, "The action `tools` lists what there is.")}}});
  }
  json::Writer data;
  data.begin_object().member("name", found->name).member("input_schema", found->input_schema);
  if (!found->output_schema->is_null()) data.member("output_schema", found->output_schema);
  data.end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

model::Response list_flags(const ServerFacts& facts) {
  json::Writer data;
  data.begin_object().key("flags");
  data.value(contract::to_json(facts.flags->list(facts.client, facts.now))).end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

}  // namespace

ServerAnswer answer_server_tool(json::View arguments, const ServerFacts& facts) {
  const std::string action = action_of(arguments);
  const bool v2 =
      facts.flags->evaluate(contract::kResponseContractFlag, facts.client, facts.now, true).enabled;
  if (action == "capabilities") {
    return {contract::capabilities(facts.version, facts.features, v2), std::nullopt};
  }
  if (action == "capability-negotiate") {
    contract::CapabilityAnswer answer =
        contract::negotiate_capabilities(arguments, facts.features, v2, facts.contract);
    return {std::move(answer.response), std::move(answer.contract)};
  }
  if (action == "tools") return {list_tools(facts), std::nullopt};
  if (action == "schema") return {schema_of_tool(arguments, facts), std::nullopt};
  if (action == "flags") return {list_flags(facts), std::nullopt};
  if (action.empty()) {
    return {contract::make_failure(contract::failures::MissingRequired{.field = "action"}),
            std::nullopt};
  }
  return {contract::make_failure(contract::failures::UnknownAction{
              .tool = std::string(kServerTool), .action = action, .allowed = action_names()}),
          std::nullopt};
}

std::string_view server_tool_description() {
  return "About this server: its capabilities, the response contract (capability-negotiate), its "
         "tools, the schema of one tool, its feature flags.";
}

json::Value server_tool_input_schema() {
  json::Writer writer;
  writer.begin_object().member("type", "object").key("properties").begin_object();
  writer.key("action").begin_object().member("type", "string").key("enum").begin_array();
  for (const std::string_view action : kActions) writer.string(action);
  writer.end_array().end_object();
  writer.key("tool").begin_object().member("type", "string");
  writer.member("description", "Action schema: name of the tool.").end_object();
  writer.key("client_capabilities").begin_object().member("type", "object");
  writer.member("description", R"(Negotiation: {"response_contract": "v2"}.)").end_object();
  // Two types are two branches: some clients know only one for a schema.
  writer.key("requested_version").begin_object().key("anyOf").begin_array();
  writer.begin_object().member("type", "string").end_object();
  writer.begin_object().member("type", "number").end_object().end_array();
  writer.member("description", "Negotiation: a contract or its version, such as response-v2.");
  writer.end_object();
  writer.key("requested_features").begin_object().key("anyOf").begin_array();
  writer.begin_object().member("type", "array").end_object();
  writer.begin_object().member("type", "string").end_object().end_array();
  writer.member("description", "Negotiation: names of features.").end_object();
  writer.end_object().key("required").begin_array().string("action").end_array().end_object();
  return std::move(writer).finish_value();
}

json::Value server_tool_payload_schema() {
  json::Writer writer;
  writer.begin_object().member("type", "object").end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::tools

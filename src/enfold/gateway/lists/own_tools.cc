// SPDX-License-Identifier: Apache-2.0
// The gateway's own tools beside those of the upstreams, and what its tool `server` says of them.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/policy/selection.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

bool asks_for_tools(const mcp::Call& call) {
  const auto* tool = std::get_if<mcp::ToolCall>(&call.params);
  if (tool == nullptr || tool->name != tools::kServerTool) return false;
  const auto action = mcp::text_member(tool->arguments.view(), "action");
  return action == "tools" || action == "schema";
}

}  // namespace

std::vector<tools::ToolFact> Gateway::tool_facts(server::AnswerContract contract) const {
  std::vector<tools::ToolFact> out;
  for (const auto& upstream : upstreams_) {
    for (const auto& [name, tool] : upstream->tools.all()) {
      if (!is_offered(upstream->settings, name)) continue;  // a new configuration may say so
      json::Value schema = tool->spec.payload_schema;
      if (contract) {
        schema = shown_schema(schema, *contract, settings_.check_of(upstream->settings, name));
      }
      out.push_back({shown(*upstream, name),
                     bounded(tool->spec.description,
                             settings_.max_description_length.value_or(kMaxDescriptionLength)),
                     tool->spec.input_schema, std::move(schema)});
    }
  }
  return out;
}

void Gateway::learn_all_tools(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                              const std::function<void()>& done) {
  std::vector<Upstream*> unknown;
  for (const auto& upstream : upstreams_) {
    const bool has_tools = upstream->identity && upstream->identity->capabilities.has("tools");
    if (asks_for_tools(call) && has_tools && upstream->tools.is_empty()) {
      unknown.push_back(upstream.get());
    }
  }
  learn_from(unknown, mcp::Method::tools_list, call, port, done);
}

std::vector<json::Value> Gateway::own_tools_beside(const std::set<std::string>& taken,
                                                   contract::Id contract,
                                                   const mcp::Call& call) const {
  const json::Value own =
      json::parse_own(own_tools_->shared()
                          .catalog->list_tools(contract, call.caller->era, is_structured(call))
                          .str());
  std::vector<json::Value> out;
  for (const json::View tool : own->find("tools")->items()) {
    if (!taken.contains(name_of(tool))) out.emplace_back(tool);
  }
  return out;
}

}  // namespace enfold::gateway

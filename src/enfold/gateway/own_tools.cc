// SPDX-License-Identifier: Apache-2.0
// The gateway's own tools beside those of the upstreams, and what its tool `server` says of them.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/selection.h"

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
      out.push_back(
          {shown(*upstream, name),
           bounded(tool->spec.description, settings_.max_description.value_or(kMostDescription)),
           tool->spec.input_schema, std::move(schema)});
    }
  }
  return out;
}

void Gateway::learn_all_tools(const mcp::Call& call, const std::shared_ptr<server::Port>& port,
                              const std::function<void()>& done) {
  std::vector<Upstream*> unknown;
  for (const auto& upstream : upstreams_) {
    const bool has_tools = upstream->identity && upstream->identity->capabilities.has("tools");
    if (asks_for_tools(call) && has_tools && upstream->tools.is_empty()) {
      unknown.push_back(upstream.get());
    }
  }
  if (unknown.empty()) {
    done();
    return;
  }
  struct Learning {
    std::size_t left;
    std::function<void()> done;
    std::unique_ptr<net::Timer> patience{};
  };
  auto learning = std::make_shared<Learning>(Learning{unknown.size(), done});
  const auto finish = [](Learning& one) {
    if (const auto then = std::exchange(one.done, nullptr)) then();
  };
  if (upstreams_.size() > 1) {  // of one alone there is nothing else to tell
    const auto give_up = [this, finish, weak = std::weak_ptr(learning)] {
      loop_.defer([finish, one = weak.lock()] {
        if (one) finish(*one);
      });
    };
    learning->patience = std::make_unique<net::Timer>(loop_, give_up);
    learning->patience->set_after(kListPatience);
  }
  Visitor& visitor = visitor_of(*port);
  for (Upstream* const upstream : unknown) {
    gather(link_for(visitor, call, *upstream), mcp::Method::tools_list, {}, call.caller,
           [this, alive = alive_, upstream, learning, finish](const Pages& pages) {
             if (!*alive) return;
             if (!pages.failure) know(*upstream, mcp::Method::tools_list, pages.items);
             if (--learning->left == 0) finish(*learning);
           });
  }
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

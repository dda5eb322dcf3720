// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/local_tools.h"

#include "enfold/base/hidden_text.h"
#include "enfold/gateway/lists/list_cache.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/json/document.h"
#include "enfold/mcp/types/hidden_text.h"
#include "enfold/store/stores.h"

namespace enfold::gateway {

namespace {

// Keeps the stores that did not change. Answers and counters that are only in memory, because no
// store is configured or it fails, must survive a reload. Parsed answers depend on no setting; a
// cache of its own for each configuration would stay in memory as long as a recorded call refers to
// that configuration.
void keep_stores(tools::AnswerServices& services, const tools::AnswerServices& before) {
  if (services.settings->archive == before.settings->archive) {
    services.archive = before.archive;
    services.archive_with_spare = before.archive_with_spare;
  }
  if (services.settings->counters == before.settings->counters) {
    services.counters = before.counters;
    services.spare_counters = before.spare_counters;
  }
  services.opened = before.opened;
}

// A schema as models see it, without hidden text.
json::Value shown_definition(const json::Value& schema) {
  return mcp::without_hidden_text(schema.view()).value_or(schema);
}

}  // namespace

bool reads_structured(const Settings& settings, const mcp::Call& call) {
  const tools::ServiceSettings& answers = settings.answers;
  return tools::channels_for(answers, tools::profile_for(answers, call.caller.get())) !=
         answer::Channels::text;
}

// Does not read environment_.settings: a reload replaces them after this call.
Status LocalTools::configure(const Settings& settings) {
  auto copy = std::make_unique<tools::ServiceSettings>(settings.answers);
  copy->log = log_.for_local_tools();
  copy->request_id_in_envelope = settings.request_id_in_envelope;
  ENFOLD_TRY(tools::AnswerServices services,
             tools::make_services(*copy, "enfold", settings.version, environment_.host));
  if (current_) keep_stores(services, current_->services);
  auto next =
      std::make_shared<Generation>(Generation{std::move(copy), std::move(services), nullptr});
  ENFOLD_TRY(next->tools,
             tools::LocalTools::create(next->services, {}, [this](tools::AnswerContract contract) {
               return upstream_tools(contract);
             }));
  if (current_) former_.push_back(std::move(current_));
  current_ = std::move(next);
  std::erase_if(former_, [](const std::shared_ptr<Generation>& one) {
    return one.use_count() == 1 && one->tools->running() == 0;
  });
  return {};
}

std::shared_ptr<serve::OpenCall> LocalTools::begin(
    mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel,
    tools::ClientTerms client) {
  const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
  if (const tools::OfferedTool* tool = current_->tools->find(name)) {
    return current_->tools->begin(*tool, std::move(call), channel, std::move(client));
  }
  channel->reply(call.key, mcp::invalid_params("Unknown tool: " + json::quote(name)));
  return nullptr;
}

std::vector<Upstream*> LocalTools::missing_lists(const mcp::Call& call) const {
  const auto* tool = std::get_if<mcp::ToolCall>(&call.params);
  if (tool == nullptr) return {};
  const auto action = json::string_member(tool->arguments.view(), "action");
  const bool lists_tools =
      tool->name == tools::kServerTool && (action == "tools" || action == "schema");
  // `enfold_fetch`: an upstream that is an Enfold too may have this tool, for its own handles.
  if (!lists_tools && tool->name != tools::kFetchTool) return {};
  std::vector<Upstream*> missing;
  for (const auto& upstream : upstreams_.current()) {
    const bool has_tools = upstream->identity && upstream->identity->capabilities.has("tools");
    if (has_tools && upstream->tools.is_empty()) missing.push_back(upstream.get());
  }
  return missing;
}

tools::AnswerContract LocalTools::contract_for(const mcp::Call& call,
                                               serve::ClientChannel& channel) const {
  return terms_for(call, channel).contract;
}

bool LocalTools::offers_archive(const mcp::Call& call, serve::ClientChannel& channel) const {
  const Settings& settings = environment_.settings;
  return settings.archive_resources && settings.answers.keeps_originals &&
         contract_for(call, channel);
}

std::vector<tools::ToolFact> LocalTools::upstream_tools(tools::AnswerContract contract) const {
  const Settings& settings = environment_.settings;
  std::vector<tools::ToolFact> out;
  for (const auto& upstream : upstreams_.current()) {
    for (const auto& [name, tool] : upstream->tools.all()) {
      if (!is_offered(upstream->settings, name))
        continue;  // a reload may have changed the patterns
      json::Value schema = tool->spec.payload_schema;
      if (contract) {
        schema =
            shown_schema(schema, *contract, settings.output_check_of(upstream->settings, name));
      }
      out.push_back({routes_.shown(*upstream, without_hidden(name)),
                     shortened(tool->spec.description,
                               settings.max_description_length.value_or(kMaxDescriptionLength)),
                     shown_definition(tool->spec.input_schema), shown_definition(schema)});
    }
  }
  return out;
}

std::vector<json::Value> LocalTools::list(const std::set<std::string>& upstream_names,
                                          contract::Id contract, const mcp::Call& call) const {
  const bool structured = reads_structured(environment_.settings, call);
  std::vector<mcp::Tool> listed;
  for (const tools::OfferedTool& tool : current_->tools->all()) {
    if (upstream_names.contains(tool.spec.name)) continue;
    listed.push_back(tools::as_mcp(tool, contract, structured));
  }
  const json::Value all = json::parse_own(mcp::write_tools(listed, call.caller->era).str());
  std::vector<json::Value> out;
  for (const json::View tool : all->find("tools")->items()) out.emplace_back(tool);
  return out;
}

}  // namespace enfold::gateway

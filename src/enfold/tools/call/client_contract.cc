// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/client_contract.h"

#include "enfold/contract/negotiation/negotiation.h"

namespace enfold::tools {
namespace {

constexpr std::string_view kContractMeta = "dev.enfold/contract";
constexpr std::string_view kCapability = "dev.enfold/response";

// NAME, or NAME/VERSION up to any of its dots.
bool is_client(std::string_view key, std::string_view name, std::string_view version) {
  if (key == name) return true;
  if (!key.starts_with(name) || key.size() < name.size() + 2 || key[name.size()] != '/') {
    return false;
  }
  const std::string_view part = key.substr(name.size() + 1);
  return version == part || (version.starts_with(part) && version[part.size()] == '.');
}

}  // namespace

json::View enfold_meta(const mcp::Call& call) {
  const auto meta = mcp::object_member(call.raw_params.view(), "_meta");
  if (!meta) return {};
  for (const json::Member& member : meta->members()) {
    if (!member.key.string_source().starts_with("io.modelcontextprotocol/")) return *meta;
  }
  return {};
}

std::string client_name(const mcp::Call& call) {
  std::string name = call.caller ? call.caller->client_name() : std::string();
  if (name.empty()) name = contract::kAnonymousClient;
  return name;
}

AnswerContract negotiated_contract(const mcp::Call& call, const serve::Memory& memory,
                                   const AnswerServices& services,
                                   std::vector<model::Warning>& warnings) {
  const ServiceSettings& settings = *services.settings;
  const json::View meta = enfold_meta(call);
  const std::string client = client_name(call);
  const auto stated = meta.find(kContractMeta);
  std::optional<json::View> declared;
  if (call.caller) {
    const json::View capabilities = call.caller->capabilities.value().view();
    const auto experimental = mcp::object_member(capabilities, "experimental");
    declared = experimental ? experimental->find(kCapability) : std::nullopt;
  }
  const auto configured = settings.client_contracts.find(client);
  const bool is_configured = configured != settings.client_contracts.end();
  const bool has_v2 = settings.flags.is_enabled(contract::kResponseContractFlag, client,
                                                seconds_of(*services.host), true);
  if (!stated && !memory.contract && !declared && !is_configured) {
    return has_v2 ? services.contract_with_v2 : services.contract_without_v2;
  }
  contract::NegotiationInputs inputs;
  if (stated) inputs.call_meta = contract::stated_version(*stated);
  inputs.tool_negotiated = memory.contract;
  if (declared) inputs.initialize = contract::stated_version(*declared);
  if (is_configured) inputs.client_config = configured->second;
  inputs.default_config = settings.contract;
  inputs.response_contract_v2 = has_v2;
  contract::ContractChoice negotiated = contract::negotiate(inputs);
  warnings.insert(warnings.end(), negotiated.warnings.begin(), negotiated.warnings.end());
  return answer_contract(negotiated.contract);
}

AnswerContract contract_for(const mcp::Call& call, const serve::Memory& memory,
                            const AnswerServices& services) {
  std::vector<model::Warning> ignored;
  return negotiated_contract(call, memory, services, ignored);
}

const token::Profile& profile_for(const ServiceSettings& settings, const mcp::Caller* caller) {
  if (settings.profile != nullptr) return *settings.profile;
  const std::string name = caller != nullptr ? caller->client_name() : std::string();
  if (settings.client_profiles.empty()) return token::profile_of_client(name);
  const std::string version = caller != nullptr ? caller->client_version() : std::string();
  const token::Profile* known = nullptr;
  std::size_t exactness = 0;
  for (const auto& [key, profile] : settings.client_profiles) {
    if (!is_client(key, name, version) || key.size() < exactness) continue;
    known = profile;
    exactness = key.size();
  }
  return known != nullptr ? *known : token::profile_of_client(name);
}

answer::Channels channels_for(const ServiceSettings& settings, const token::Profile& profile) {
  const bool twice = profile.reads == token::ResultPart::both;
  return twice && settings.channels == answer::Channels::both ? answer::Channels::text
                                                              : settings.channels;
}

}  // namespace enfold::tools

// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/negotiation/negotiation.h"

#include "enfold/base/text.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/legacy/flags.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

constexpr std::string_view kDefault = "response-v2";
constexpr std::string_view kLegacy = "response-v1";
// `schema_version` in the answers of the actions `capabilities` and `capability-negotiate`.
constexpr std::string_view kAnswerSchemaVersion = "1.0.0";
// `api_version` of the action `capabilities`: a constant that clients of this action expect. It is
// no MCP revision and has no effect.
constexpr std::string_view kApiVersion = "2024-11-01";

constexpr std::string_view kNone = "none";
constexpr std::array<std::string_view, 6> kContracts{kDefault,     kLegacy,  "generic",
                                                     "scalpel-v1", "memory", kNone};

// The contracts that a client may choose; `none` is the last.
std::span<const std::string_view> supported(bool allows_none) {
  const std::span<const std::string_view> all = kContracts;
  return allows_none ? all : all.first(all.size() - 1);
}

constexpr std::string_view kBlanks = " \t\r\n";

// The major version of "2", "2.1" or "2.1.0"; empty for anything else.
std::string_view major_of(std::string_view version) {
  std::string_view major;
  for (int part = 0; part < 3; ++part) {
    const std::size_t digits = std::min(version.find_first_not_of("0123456789"), version.size());
    if (digits == 0) return {};
    if (part == 0) major = version.substr(0, digits);
    version.remove_prefix(digits);
    if (version.empty()) return major;
    if (version.front() != '.') return {};
    version.remove_prefix(1);
  }
  return {};
}

// For a client that requested response-v2; a client that would get it by default gets no warning.
model::Warning flag_off_warning(std::string_view requested) {
  json::Writer context;
  context.begin_object().member("requested", requested).member("used", kLegacy);
  context.member("flag", kResponseContractFlag).end_object();
  return make_warning("UNSUPPORTED_VERSION",
                      fmt::format("{} is not supported for this client: the flag {} is off. "
                                  "Answers are in {}",
                                  kDefault, kResponseContractFlag, kLegacy),
                      std::move(context).finish_value());
}

// For a client that requested an unknown version, or `none` where the operator has not allowed it.
model::Warning unsupported_warning(std::string_view requested, std::string_view used,
                                   bool allows_none) {
  json::Writer context;
  context.begin_object().member("requested", requested).member("used", used);
  context.key("supported").begin_array();
  for (const std::string_view contract : supported(allows_none)) context.string(contract);
  context.end_array().end_object();
  const std::string problem =
      parse_version_name(requested)
          ? std::string("Answers without a contract are not allowed here")
          : fmt::format("Version {} is not supported", json::quote(requested));
  return make_warning("UNSUPPORTED_VERSION", fmt::format("{}. Answers are in {}", problem, used),
                      std::move(context).finish_value());
}

/// One of the NegotiationInputs.
struct Source {
  const std::optional<std::string>& text;
  bool by_client;  ///< the client requested the contract; false: the operator configured it
};

struct KnownFeature {
  std::string_view name;
  bool ServerFeatures::* supported;  ///< the field that says whether the server has it
};
constexpr std::array<KnownFeature, 5> kFeatures{{
    {"streaming", &ServerFeatures::streaming},
    {"batch", &ServerFeatures::batch},
    {"pagination", &ServerFeatures::pagination},
    {"rate_limit_headers", &ServerFeatures::rate_limit_headers},
    {"feature_flags", &ServerFeatures::feature_flags},
}};

model::Warning unknown_feature_warning(std::string_view feature) {
  json::Writer context;
  context.begin_object().member("feature", feature).key("known").begin_array();
  for (const KnownFeature& known : kFeatures) context.string(known.name);
  context.end_array().end_object();
  return make_warning("UNKNOWN_FEATURE",
                      fmt::format("Feature {} is not recognized. It is off", json::quote(feature)),
                      std::move(context).finish_value());
}

model::Warning not_remembered_warning(std::string_view contract) {
  json::Writer context;
  context.begin_object().member("contract", contract);
  context.member("stated_by", "_meta dev.enfold/contract").end_object();
  return make_warning("NOT_REMEMBERED",
                      fmt::format("Without a session nothing is remembered: state {} in _meta "
                                  "dev.enfold/contract of each call",
                                  contract),
                      std::move(context).finish_value());
}

// Adds the trimmed name, unless it is empty or in the list.
void add_once(std::vector<std::string>& names, std::string_view name) {
  name = trimmed(name, kBlanks);
  if (name.empty() || std::ranges::find(names, name) != names.end()) return;
  names.emplace_back(name);
}

// Reads feature names from an array or a comma-separated text. Other values cause a warning.
void read_features(json::View features, std::vector<std::string>& names,
                   std::vector<model::Warning>& warnings) {
  if (features.is_string()) {
    const std::string text = features.string();
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      add_once(names, std::string_view(text).substr(at, comma - at));
      at = comma + 1;
    }
    return;
  }
  if (features.is_array()) {
    for (const json::View item : features.items()) {
      if (item.is_string()) {
        add_once(names, item.string());
      } else {
        warnings.push_back(unknown_feature_warning(json::to_text(item)));
      }
    }
    return;
  }
  if (!features.is_null()) warnings.push_back(unknown_feature_warning(json::to_text(features)));
}

struct CapabilityRequest {
  std::optional<std::string> version;
  std::vector<std::string> features;
};

CapabilityRequest read_arguments(json::View arguments, std::vector<model::Warning>& warnings) {
  CapabilityRequest requested;
  if (const auto version = arguments.find("requested_version")) {
    requested.version = stated_version(*version);
  }
  if (const auto features = arguments.find("requested_features")) {
    read_features(*features, requested.features, warnings);
  }
  if (const auto client = arguments.find("client_capabilities")) {
    if (!requested.version) requested.version = stated_version(*client);
    if (const auto features = client->find("features")) {
      read_features(*features, requested.features, warnings);
    }
  }
  return requested;
}

// The data of the answer to `capability-negotiate`. `contract`: nullopt: no version was requested.
json::Value answer_data(const std::optional<std::string>& contract,
                        const std::vector<std::string>& features, const ServerFeatures& offered,
                        const std::vector<model::Warning>& warnings) {
  json::Writer data;
  data.begin_object()
      .member("schema_version", kAnswerSchemaVersion)
      .key("negotiated")
      .begin_object();
  if (contract) data.member("response_version", *contract);
  data.key("features").begin_object();
  for (const std::string& feature : features) {
    const auto* const known = std::ranges::find(kFeatures, feature, &KnownFeature::name);
    data.member(feature, known != kFeatures.end() && offered.*(known->supported));
  }
  data.end_object().end_object().key("warnings");
  if (warnings.empty()) {
    data.null();
  } else {
    data.begin_array();
    for (const model::Warning& warning : warnings) data.string(warning.message);
    data.end_array();
  }
  data.end_object();
  return std::move(data).finish_value();
}

}  // namespace

std::span<const std::string_view> answer_contracts() { return kContracts; }

std::optional<std::string> parse_version_name(std::string_view text) {
  std::string lower = to_lower(trimmed(text, kBlanks));
  std::string_view rest = lower;
  if (std::ranges::find(kContracts, rest) != kContracts.end()) return lower;
  const bool scalpel = rest.starts_with("scalpel-v");
  if (scalpel) {
    rest.remove_prefix(std::string_view("scalpel-v").size());
  } else if (rest.starts_with("response-v")) {
    rest.remove_prefix(std::string_view("response-v").size());
  } else if (rest.starts_with('v')) {
    rest.remove_prefix(1);
  }
  const std::string_view major = major_of(rest);
  if (major == "1") return std::string(scalpel ? "scalpel-v1" : kLegacy);
  if (major == "2" && !scalpel) return std::string(kDefault);
  return std::nullopt;
}

std::optional<std::string> stated_version(json::View statement) {
  if (statement.is_null()) return std::nullopt;
  if (statement.is_string()) {
    const std::string text = statement.string();
    return trimmed(text, kBlanks).empty() ? std::nullopt : std::optional<std::string>(text);
  }
  // A number may be a version; any other value is returned as text for the warning.
  if (!statement.is_object()) return json::to_text(statement);
  for (const std::string_view key : {"response_contract", "contract", "version"}) {
    const auto member = statement.find(key);
    if (member && !member->is_object()) return stated_version(*member);
  }
  return std::nullopt;
}

ContractChoice negotiate(const NegotiationInputs& inputs) {
  const std::array<Source, 5> sources{{
      {inputs.call_meta, /*by_client=*/true},
      {inputs.tool_negotiated, /*by_client=*/true},
      {inputs.initialize, /*by_client=*/true},
      {inputs.client_config, /*by_client=*/false},
      {inputs.default_config, /*by_client=*/false},
  }};
  ContractChoice result{std::string(kDefault), {}};
  std::vector<std::string_view> unsupported;  // each gets a warning with the contract used
  bool requested_by_client = false;
  std::string_view requested_version = kDefault;
  for (const Source& source : sources) {
    if (!source.text || trimmed(*source.text, kBlanks).empty()) continue;
    const auto contract = parse_version_name(*source.text);
    if (!contract || (*contract == kNone && source.by_client && !inputs.allows_none)) {
      unsupported.push_back(*source.text);
      continue;
    }
    result.contract = *contract;
    requested_by_client = source.by_client;
    requested_version = *source.text;
    break;
  }
  if (result.contract == kDefault && !inputs.response_contract_v2) {
    result.contract = kLegacy;
    if (requested_by_client) result.warnings.push_back(flag_off_warning(requested_version));
  }
  for (const std::string_view text : unsupported) {
    result.warnings.push_back(unsupported_warning(text, result.contract, inputs.allows_none));
  }
  return result;
}

CapabilityAnswer negotiate_capabilities(json::View arguments, const ServerFeatures& features,
                                        bool response_contract_v2,
                                        const std::optional<std::string>& in_use, bool remembers) {
  CapabilityAnswer answer;
  std::vector<model::Warning>& warnings = answer.response.warnings;
  const CapabilityRequest requested = read_arguments(arguments, warnings);
  // An unknown version changes nothing: the answer then names the contract that stays in use.
  std::optional<std::string> reported_contract;
  if (requested.version) {
    ContractChoice negotiated = negotiate({.tool_negotiated = requested.version,
                                           .default_config = in_use,
                                           .response_contract_v2 = response_contract_v2,
                                           .allows_none = features.allows_none});
    reported_contract = std::move(negotiated.contract);
    const auto named = parse_version_name(*requested.version);
    const bool known = named && (*named != kNone || reported_contract == kNone);
    if (known && remembers) answer.contract = reported_contract;
    if (known && !remembers && reported_contract != in_use) {
      warnings.push_back(not_remembered_warning(*reported_contract));
    }
    warnings.insert(warnings.begin(), negotiated.warnings.begin(), negotiated.warnings.end());
  }
  for (const std::string& feature : requested.features) {
    if (std::ranges::find(kFeatures, feature, &KnownFeature::name) == kFeatures.end()) {
      warnings.push_back(unknown_feature_warning(feature));
    }
  }
  answer.response.payload = answer_data(reported_contract, requested.features, features, warnings);
  return answer;
}

model::Response capabilities(std::string_view server_version, const ServerFeatures& features,
                             bool response_contract_v2) {
  const std::string_view current = response_contract_v2 ? kDefault : kLegacy;
  json::Writer data;
  data.begin_object().member("schema_version", kAnswerSchemaVersion);
  data.member("server_version", server_version).member("api_version", kApiVersion);
  data.key("capabilities").begin_object().member("response_version", current);
  data.member("streaming", features.streaming).member("batch_operations", features.batch);
  data.member("pagination", features.pagination);
  if (features.max_batch_size > 0) data.member("max_batch_size", features.max_batch_size);
  data.member("rate_limit_headers", features.rate_limit_headers);
  data.key("formats").begin_array().string("json").end_array();
  data.member("feature_flags", features.feature_flags).end_object();
  data.member(kResponseContractFlag, response_contract_v2);
  data.key("response_version").begin_object().member("current", current).key("supported");
  data.begin_array();
  for (const std::string_view contract : supported(features.allows_none)) {
    if (contract != kDefault || response_contract_v2) data.string(contract);
  }
  data.end_array().end_object();
  if (features.pagination) {
    data.key("pagination").begin_object();
    data.member("default_page_size", clamp_page_size(std::nullopt));
    data.member("max_page_size", clamp_page_size(std::numeric_limits<std::int64_t>::max()));
    data.member("cursor_format", "opaque_base64").end_object();
  }
  data.end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

}  // namespace enfold::contract

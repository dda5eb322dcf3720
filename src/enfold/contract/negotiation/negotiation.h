// SPDX-License-Identifier: Apache-2.0
// Which contract an answer is written in, and the answers of the `server` tool about it.
// Whatever a client asks for, it gets an answer: what the server will do, and a warning when that
// is not what was asked.
#pragma once

#include "enfold/json/document.h"
#include "enfold/model/response.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::contract {

/// The contracts that an answer can be written in, the default first. `none` passes the
/// upstream's result through.
[[nodiscard]] std::span<const std::string_view> answer_contracts();

/// The contract that a version names: `v2`, `2`, `response-v2`, `response-v2.1.0` are one. Case and
/// surrounding blanks do not matter. nullopt: unknown.
[[nodiscard]] std::optional<std::string> parse_version_name(std::string_view text);

/// What a client states in `_meta` or in its declared capability: a string, a number, or an object
/// with `response_contract`, `contract` or `version`. nullopt when it states nothing; what cannot
/// be a version comes back as its JSON text.
[[nodiscard]] std::optional<std::string> stated_version(json::View statement);

/// Every place where a contract can be chosen, the nearest to the call first. Texts as they were
/// given; nullopt: nothing was said there.
struct NegotiationInputs {
  std::optional<std::string> call_meta;        ///< `_meta` of the call, `dev.enfold/contract`
  std::optional<std::string> tool_negotiated;  ///< the tool `server`, action capability-negotiate
  std::optional<std::string> initialize;       ///< experimental capability `dev.enfold/response`
  std::optional<std::string> client_config;
  std::optional<std::string> default_config;
  bool response_contract_v2 = true;  ///< the flag, as it stands for this client
};

struct Negotiated {
  std::string contract;
  std::string rule;  ///< which place decided, in words
  std::vector<model::Warning> warnings;
};

/// An unknown version counts as not said and adds a warning.
[[nodiscard]] Negotiated negotiate(const NegotiationInputs& inputs);

/// What this server offers, under the names that clients ask for.
struct ServerFeatures {
  bool streaming = false;
  bool batch = false;
  bool pagination = true;
  bool rate_limit_headers = true;
  bool feature_flags = true;
  std::int64_t max_batch_size = 100;
};

struct CapabilityAnswer {
  model::Response response;
  std::optional<std::string> contract;  ///< what was agreed, when a known version was asked for
};

/// The answer of the action `capability-negotiate`. Reads `client_capabilities` with
/// `response_contract`, and `requested_version` with `requested_features` (array or text with
/// commas); `requested_version` wins over the former. After an unknown version everything stays as
/// it was: in the contract `in_use`, which the operator or an earlier agreement chose.
[[nodiscard]] CapabilityAnswer negotiate_capabilities(
    json::View arguments, const ServerFeatures& features = {}, bool response_contract_v2 = true,
    const std::optional<std::string>& in_use = std::nullopt);

/// The answer of the action `capabilities`.
[[nodiscard]] model::Response capabilities(std::string_view server_version,
                                           const ServerFeatures& features = {},
                                           bool response_contract_v2 = true);

}  // namespace enfold::contract

// SPDX-License-Identifier: Apache-2.0
// Chooses the contract of an answer, and implements the negotiation actions of the tool `server`. A
// request for an unsupported contract is answered in another contract, with a warning.
#pragma once

#include "enfold/json/document.h"
#include "enfold/model/response.h"

#include <span>

namespace enfold::contract {

/// The contracts an answer can be written in, the default first. `none` is the tool's result
/// without an envelope.
[[nodiscard]] std::span<const std::string_view> answer_contracts();

/// The name of the contract that a version means: `response-v2` for `v2`, `2`, `response-v2` and
/// `response-v2.1.0`. Ignores case and surrounding white space. nullopt: unknown.
[[nodiscard]] std::optional<std::string> parse_version_name(std::string_view text);

/// The version that `statement`, from `_meta` or a declared capability, states: a string, a number,
/// or an object with `response_contract`, `contract` or `version`. nullopt: null, a blank text, or
/// an object without these. Any other value is returned as its JSON text.
[[nodiscard]] std::optional<std::string> stated_version(json::View statement);

/// All places where a contract can be requested or configured, in order of precedence. nullopt: not
/// set.
struct NegotiationInputs {
  std::optional<std::string> call_meta;        ///< `_meta` of the call, `dev.enfold/contract`
  std::optional<std::string> tool_negotiated;  ///< the tool `server`, action capability-negotiate
  std::optional<std::string> initialize;       ///< experimental capability `dev.enfold/response`
  std::optional<std::string> client_config;
  std::optional<std::string> default_config;
  /// The feature flag of this name, evaluated for this client. If it is off, response-v1 is chosen
  /// in place of response-v2, with a warning if the client has requested response-v2.
  bool response_contract_v2 = true;
  bool allows_none = false;  ///< whether the client may choose `none`
};

struct ContractChoice {
  std::string contract;
  std::vector<model::Warning> warnings;
};

/// Chooses the contract by the first input that is set. An unknown version, and `none` where
/// clients may not choose it, count as not set and add a warning.
[[nodiscard]] ContractChoice negotiate(const NegotiationInputs& inputs);

/// What this server offers, by the names that clients use. The caller sets it; by default, nothing
/// is offered.
struct ServerFeatures {
  bool streaming = false;
  bool batch = false;               ///< JSON-RPC batches, in the revision that has them
  bool pagination = false;          ///< a tool takes a cursor
  bool rate_limit_headers = false;  ///< HTTP headers with the state of rate limits; Enfold has none
  bool feature_flags = false;       ///< the tool `server` lists flags
  std::int64_t max_batch_size = 0;  ///< messages in a batch; 0: no batches
  bool allows_none = false;         ///< clients may choose the contract `none`
};

struct CapabilityAnswer {
  model::Response response;
  /// The contract that the caller must use in this session from now on; nullopt: no known version
  /// was requested, or there is no session.
  std::optional<std::string> contract;
};

/// The answer of the action `capability-negotiate`. Reads from `arguments` `requested_version` and
/// `requested_features` (array or text with commas); from `client_capabilities` its `features`, and
/// its version (stated_version) if there is no `requested_version`. After an unknown version the
/// contract `in_use` (from the configuration or an earlier negotiation) stays. `remembers`: the
/// caller has a session to keep the contract in; if false, a warning tells the client to state the
/// contract with each call.
[[nodiscard]] CapabilityAnswer negotiate_capabilities(
    json::View arguments, const ServerFeatures& features = {}, bool response_contract_v2 = true,
    const std::optional<std::string>& in_use = std::nullopt, bool remembers = true);

/// The answer of the action `capabilities`.
[[nodiscard]] model::Response capabilities(std::string_view server_version,
                                           const ServerFeatures& features = {},
                                           bool response_contract_v2 = true);

}  // namespace enfold::contract

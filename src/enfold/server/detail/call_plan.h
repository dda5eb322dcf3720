// SPDX-License-Identifier: Apache-2.0
// What is decided about a tool call before its handler runs: who calls, in which contract and at
// which level the answer is written, what it may cost, and whether the call is refused.
#pragma once

#include "enfold/answer/prepare.h"
#include "enfold/contract/cursors/signed_cursor.h"
#include "enfold/level/decide.h"
#include "enfold/serve/service.h"
#include "enfold/server/detail/catalog.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::server {

/// What every call shares.
struct Shared {
  const Server* server;
  const Catalog* catalog;
  serve::Host* host;
  std::shared_ptr<store::Archive> archive;
  std::shared_ptr<store::Counters> counters;
  contract::CursorKey key;
  /// For clients that ask for nothing, by the flag response_contract_v2.
  struct Unasked {
    AnswerContract with_v2;
    AnswerContract without_v2;
  } unasked{};
};

[[nodiscard]] Shared::Unasked unasked_contract(const Settings& settings);

/// What is set for a tool from outside, before what it says itself.
struct ToolTerms {
  std::string counted_as;  ///< in rate limits; empty: by its name
  std::optional<model::Level> level;
  std::optional<store::RateLimit> rate_limit;
};

struct CallPlan {
  std::string principal;
  std::string request_id;
  std::string client;
  AnswerContract contract;
  level::LevelDecision level;
  json::Value arguments;  ///< without those that the library takes for itself
  answer::FitSettings fit;
  std::vector<model::Warning> warnings;
  std::optional<store::RateLimit> limit;  ///< of this principal's calls of this tool
  std::string counted_as;
  std::optional<model::RateLimit> rate_limit;
  std::optional<model::Response> refusal;  ///< the handler does not run
  /// Of a content block that leads to an archived answer; nullptr: none is added.
  json::Value (*link)(std::string_view handle, std::string_view tool) = nullptr;
};

[[nodiscard]] AnswerContract contract_for(const mcp::Call& call, const serve::Memory& memory,
                                          const Shared& shared,
                                          std::vector<model::Warning>& warnings);

/// What is known of a client, by the name and version that it gives itself, unless settings know
/// better. `caller` may be null.
[[nodiscard]] const token::Profile& profile_for(const Settings& settings,
                                                const mcp::Caller* caller);
/// Where answers to such a client stand: a model that reads both channels would pay twice.
[[nodiscard]] answer::Channels channels_for(const Settings& settings,
                                            const token::Profile& profile);

/// Everything but the rate limit: its counters may be far away.
[[nodiscard]] CallPlan plan_call(const mcp::Call& call, const OfferedTool& tool,
                                 const serve::Memory& memory, const Shared& shared,
                                 const ToolTerms& terms = {});

/// Takes a token of the rate limit, then looks at the arguments of our own tools. What is refused
/// is in the plan; what was refused before takes no token.
void admit(CallPlan& plan, const OfferedTool& tool, const Shared& shared);
/// Whether that may wait for counters that others share: a worker's business then.
[[nodiscard]] inline bool waits_for_counters(const CallPlan& plan, const Shared& shared) {
  return plan.limit && !plan.refusal && shared.server->settings().counters;
}

/// For arguments in which somebody writes back the marker of a secret; nullopt: there is none.
[[nodiscard]] std::optional<model::Response> marker_refusal(json::View arguments);

/// The failure that names each argument that is not as declared, and what was expected there.
[[nodiscard]] model::Response bad_arguments(const OfferedTool& tool,
                                            const std::vector<Problem>& problems);

[[nodiscard]] std::int64_t seconds_of(const serve::Host& host);

}  // namespace enfold::server

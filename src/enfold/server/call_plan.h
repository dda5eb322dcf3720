// SPDX-License-Identifier: Apache-2.0
// What is decided about a tool call before its handler runs: who calls, in which contract and at
// which level the answer is written, what it may cost, and whether the call is refused.
#pragma once

#include "enfold/contract/signed_cursor.h"
#include "enfold/level/decide.h"
#include "enfold/pipeline/prepare.h"
#include "enfold/server/catalog.h"
#include "enfold/server/service.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::server {

/// What every call shares.
struct Shared {
  const Server* server;
  const Catalog* catalog;
  Host* host;
  std::shared_ptr<store::Archive> archive;
  std::shared_ptr<store::Counters> counters;
  contract::CursorKey key;
};

struct CallPlan {
  std::string request_id;
  std::string client;
  AnswerContract contract;
  level::LevelDecision level;
  json::Value arguments;  ///< without those that the library takes for itself
  pipeline::FitSettings fit;
  std::vector<model::Warning> warnings;
  std::optional<model::RateLimit> rate_limit;
  std::optional<model::Response> refusal;  ///< the handler does not run
};

[[nodiscard]] AnswerContract contract_for(const mcp::Call& call, const Memory& memory,
                                          const Shared& shared,
                                          std::vector<model::Warning>& warnings);

/// Takes a token of the rate limit.
[[nodiscard]] CallPlan plan_call(const mcp::Call& call, const OfferedTool& tool,
                                 const Memory& memory, const Shared& shared);

/// The failure that names each argument that is not as declared, and what was expected there.
[[nodiscard]] model::Response bad_arguments(const OfferedTool& tool,
                                            const std::vector<Problem>& problems);

[[nodiscard]] std::int64_t seconds_of(const Host& host);

}  // namespace enfold::server

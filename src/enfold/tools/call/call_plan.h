// SPDX-License-Identifier: Apache-2.0
// What is decided about a tool call before the tool runs: who calls, in which contract and at which
// level the answer is written, what it may cost, and whether the call is refused.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/tools/call/client_contract.h"
#include "enfold/tools/offered_tool.h"

#include <optional>
#include <string>

namespace enfold::tools {

/// What is set for a tool from outside, before what it says itself.
struct ToolTerms {
  std::string counted_as;  ///< in rate limits; empty: by its name
  std::optional<model::Level> level;
  std::optional<store::RateLimit> rate_limit;
};

struct CallPlan : answer::AnswerPlan {
  std::string principal;
  std::string client;
  const token::Profile* profile = nullptr;
  std::optional<store::RateLimit> limit;  ///< of this principal's calls of this tool
  std::string counted_as;
  std::optional<model::Response> refusal;  ///< the tool does not run
};

/// What the client decides for its calls: negotiated once, then used by everything in a call.
struct ClientTerms {
  AnswerContract contract;
  const token::Profile* profile = nullptr;
  std::vector<model::Warning> warnings;
};
[[nodiscard]] ClientTerms terms_of_client(const mcp::Call& call, const serve::Memory& memory,
                                          const AnswerServices& services);

/// Everything but the rate limit: its counters may be far away. `tool` must outlive the plan.
[[nodiscard]] CallPlan plan_call(const mcp::Call& call, const OfferedTool& tool,
                                 const serve::Memory& memory, ClientTerms client,
                                 const AnswerServices& services, const ToolTerms& terms = {});

/// Takes a token of the rate limit, then checks the arguments. A refusal is in the plan; what was
/// refused before takes no token.
void admit(CallPlan& plan, const OfferedTool& tool, const AnswerServices& services);
/// Whether that may wait for counters that other processes share: then it belongs on a worker.
[[nodiscard]] inline bool waits_for_counters(const CallPlan& plan, const AnswerServices& services) {
  return plan.limit && !plan.refusal && services.settings->counters;
}

}  // namespace enfold::tools

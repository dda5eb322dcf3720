// SPDX-License-Identifier: Apache-2.0
// What is decided about a tool call before the tool runs: who calls, in which contract and at which
// level the answer is written, what it may cost, and whether the call is refused.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/redact/redact.h"
#include "enfold/token/profile.h"
#include "enfold/tools/answer_services.h"
#include "enfold/tools/declare/read_arguments.h"
#include "enfold/tools/offered_tool.h"

namespace enfold::tools {

/// What depends on the client in a call of any tool: on its name, version and capabilities, on
/// `_meta` of the call, on the contract that it negotiated, and on the settings for this client.
struct ClientTerms {
  AnswerContract contract;
  /// The contract in which an answer in contract `none` is written if it exceeds the budget of the
  /// settings. nullopt: the settings have no budget, or `contract` is not `none`.
  AnswerContract contract_when_cut;
  const token::Profile* profile = nullptr;  ///< terms_of_client sets it
  std::string client;                       ///< its name, or "anonymous"
  std::vector<model::Warning> warnings;     ///< about the negotiation, for the answer
};
[[nodiscard]] ClientTerms terms_of_client(const mcp::Call& call,
                                          const serve::ConnectionState& connection,
                                          const AnswerServices& services);

/// Whether the client of this name may choose the contract `none`: the settings allow it, or have
/// chosen it for the client.
[[nodiscard]] bool may_choose_none(const ServiceSettings& settings, const std::string& client);

/// The profile of a client: that of the settings, else the built-in one for the name that the
/// client gave. `caller` may be nullptr.
[[nodiscard]] const token::Profile& profile_for(const ServiceSettings& settings,
                                                const mcp::Caller* caller);
/// The channels for answers to a client of this profile: only text for a model that reads both
/// channels, because it would pay twice.
[[nodiscard]] answer::Channels channels_for(const ServiceSettings& settings,
                                            const token::Profile& profile);

/// What the configuration sets for a tool; it overrides what the tool declares.
struct ToolTerms {
  std::optional<model::Level> level;
  std::optional<store::RateLimit> rate_limit;
};

struct CallPlan : answer::AnswerPlan {
  AnswerContract contract_when_cut;  ///< see ClientTerms
  std::string principal;
  std::string client;  ///< its name
  const token::Profile* profile = nullptr;
  std::optional<store::RateLimit>
      limit;  ///< for this principal's calls of this tool; nullopt: none
  std::optional<model::Response> refusal;  ///< set: the tool does not run, this is the answer
};

/// Replaces the contract `none` by `contract_when_cut`, which must be set. No effect with any other
/// contract.
inline void use_contract_when_cut(CallPlan& plan) {
  if (plan.contract) return;
  plan.contract = plan.contract_when_cut;
  plan.fit.shape.contract = *plan.contract_when_cut;
}

/// Plans everything but the rate limit, whose counters may be on another machine. `tool` must
/// outlive the plan.
[[nodiscard]] CallPlan plan_call(const mcp::Call& call, const OfferedTool& tool,
                                 const std::string& principal, ClientTerms client,
                                 const AnswerServices& services, const ToolTerms& terms = {});

/// Checks the arguments by the tool's ArgumentPolicy and counts the call against the rate limit;
/// sets `plan.refusal` if either refuses it. A call that the plan refuses already, or whose
/// arguments break the tool's schema, is not counted.
void admit(CallPlan& plan, const OfferedTool& tool, const AnswerServices& services);
// The steps of `admit`, for a caller that does not wait for the counters (Counters::take_later):
// first check_arguments, then for a plan with a limit `take` or take_later, then finish_admission.

/// False: the plan or the arguments refuse the call, and it is not counted.
[[nodiscard]] bool check_arguments(CallPlan& plan, const OfferedTool& tool);
/// The bucket in which a call with a rate limit is counted.
[[nodiscard]] inline store::BucketKey bucket_of(const CallPlan& plan) {
  return {plan.principal, plan.called_as};
}
/// Counts a call with a rate limit.
[[nodiscard]] Result<store::RateDecision> take(const CallPlan& plan,
                                               const AnswerServices& services);
/// Sets `plan.refusal` if the limit or a marker in the arguments refuses the call. `taken`: what
/// `take` returned; ignored if the plan has no limit.
void finish_admission(CallPlan& plan, const OfferedTool& tool, const AnswerServices& services,
                      const Result<store::RateDecision>& taken);

/// Whether `admit` may wait for counters that other processes share, and so must run on a worker.
[[nodiscard]] inline bool waits_for_counters(const CallPlan& plan, const AnswerServices& services) {
  return plan.limit && !plan.refusal && services.settings->counters;
}

// Failed answers to calls whose arguments cannot be used (argument_refusal.cc).

/// For arguments that break the tool's input schema or contain a marker; nullopt: they are valid.
[[nodiscard]] std::optional<model::Response> argument_refusal(const OfferedTool& tool,
                                                              json::View arguments);
/// For arguments that contain the marker of a redacted secret.
[[nodiscard]] model::Response marker_refusal(const OfferedTool& tool, const redact::Marker& marker,
                                             json::View arguments);
/// Names the first ten arguments, in the order of the declaration, that are not as declared, and
/// what was expected there. `problems` must not be empty.
[[nodiscard]] model::Response bad_arguments(const OfferedTool& tool, std::vector<Problem> problems,
                                            json::View arguments);
/// The same for another object that the client sent, such as a form. The message begins with
/// `subject`.
[[nodiscard]] model::Response bad_form(std::vector<Problem> problems, json::View schema,
                                       json::View sent, std::string_view subject);

}  // namespace enfold::tools

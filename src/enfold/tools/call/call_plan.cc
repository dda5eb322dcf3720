// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/call_plan.h"

#include "enfold/base/text.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/contract/negotiation/negotiation.h"
#include "enfold/mcp/wire/protocol.h"
#include "enfold/tools/call/sent_arguments.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::tools {
namespace {

constexpr std::string_view kContractMeta = "dev.enfold/contract";  // in `_meta` of a call
// Experimental capability by which a client states a contract.
constexpr std::string_view kCapability = "dev.enfold/response";

// Whether `key`, NAME or NAME/VERSION, means this client. VERSION is the client's version or its
// beginning up to a dot.
bool is_client(std::string_view key, std::string_view name, std::string_view version) {
  if (key == name) return true;
  if (!key.starts_with(name) || key.size() < name.size() + 2 || key[name.size()] != '/') {
    return false;
  }
  const std::string_view wanted = key.substr(name.size() + 1);
  return version == wanted || (version.starts_with(wanted) && version[wanted.size()] == '.');
}

namespace failures = contract::failures;

constexpr std::string_view kBudgetMeta = "dev.enfold/budget";  // in `_meta` of a call
constexpr std::int64_t kWarningShare = 5;  // warn if a fifth of the burst or less is left

// The request id that the caller sent, unless it is too long to be repeated with every answer; else
// a random one.
std::string request_id_of(json::View meta, serve::Host& host,
                          std::vector<model::Warning>& warnings) {
  constexpr std::size_t longest = 128;
  std::string given = meta.is_null() ? std::string() : contract::request_id_from(meta);
  const std::size_t length = utf8::length(given);
  if (!given.empty() && length <= longest) return given;
  std::array<std::uint8_t, 6> random{};
  host.fill_random(random);
  std::string made = contract::make_request_id(random);
  if (!given.empty()) {
    json::Writer context;
    context.begin_object().member("length", static_cast<std::int64_t>(length));
    context.member("limit", static_cast<std::int64_t>(longest)).end_object();
    warnings.push_back(contract::make_warning(
        "REQUEST_ID_REPLACED",
        fmt::format("The request id has more than {} characters; {} replaces it", longest, made),
        std::move(context).finish_value()));
  }
  return made;
}

// The arguments, if one of them chooses the level; null: none does, or the tool itself has an
// argument of that name.
json::View level_arguments(const mcp::Call& call, const OfferedTool& tool) {
  const json::View arguments = std::get_if<mcp::ToolCall>(&call.params)->arguments.view();
  if (has_name(tool.arguments, level::kLevelArgument)) return {};
  for (const json::Member& member : arguments.members()) {
    if (is_level_argument(member.key)) return arguments;
  }
  return {};
}

// Applies the budget that `_meta` of the call states, a number of tokens or an object. It can lower
// the limits of `fit`, not raise them. If it states tokens, an answer over the limit is cut to just
// that many, not to the smaller target of the settings.
Status read_budget(json::View meta, answer::FitSettings& fit) {
  const auto stated = meta.find(kBudgetMeta);
  if (!stated || stated->is_null()) return {};
  budget::Budget budget = fit.budget;
  // False: there is a value, but no positive integer.
  const auto read_size = [](std::optional<json::View> value, std::size_t& size) {
    const auto number = value ? value->integer() : std::nullopt;
    if (number && *number > 0) size = static_cast<std::size_t>(*number);
    return !value || (number && *number > 0);
  };
  bool is_valid = true;
  if (stated->is_object()) {
    is_valid = read_size(stated->find("tokens"), budget.tokens) &&
               read_size(stated->find("characters"), budget.characters);
  } else {
    is_valid = read_size(stated, budget.tokens);
  }
  const std::string where = fmt::format("_meta {}", kBudgetMeta);
  if (!is_valid) {
    return fail(ErrorCode::budget_too_small,
                fmt::format("expected tokens, or an object with tokens and characters, found {}",
                            json::to_text(*stated).substr(0, 80)),
                where,
                fmt::format("ask for {} tokens and {} characters or more", budget::kSmallestBudget,
                            budget::kFewestCharacters));
  }
  if (const Status status = budget::check(budget); !status) {
    return fail(status.error().code, status.error().message, where, status.error().hint);
  }
  fit.budget.tokens = std::min(fit.budget.tokens, budget.tokens);
  fit.budget.characters = std::min(fit.budget.characters, budget.characters);
  if (fit.failure_characters) {
    fit.failure_characters = std::min(*fit.failure_characters, budget.characters);
  }
  if (!stated->is_object() || stated->find("tokens")) fit.target = fit.budget.tokens;
  return {};
}

// Sets how an answer of the tool is fitted for this client.
void set_fit(answer::FitSettings& fit, const OfferedTool& tool, AnswerContract contract,
             const AnswerServices& services, const token::Profile& profile) {
  const ServiceSettings& settings = *services.settings;
  fit.shape.contract = contract.value_or(contract::Id::response_v2);
  fit.shape.members = settings.members;
  fit.shape.redaction = settings.redaction;
  fit.shape.channels = channels_for(settings, profile);
  fit.shape.meta_not_copied = mcp::meta::server_info;  // the server writes its own
  fit.policy = tool.spec.policy;
  fit.schema = tool.payload && !tool.answers_in_envelope ? &*tool.payload : nullptr;
  fit.if_unstored = settings.if_unstored;
  answer::use_profile(fit, profile);
  apply_budget(settings, fit);
  fit.offers_sql = services.offers_sql;
}

// The rate limit of the call: that of the principal, else of the configuration for the tool, else
// of the tool, else of the settings; nullopt: none.
std::optional<store::RateLimit> limit_of(const OfferedTool& tool, const ToolTerms& terms,
                                         const ServiceSettings& settings,
                                         const std::string& principal) {
  if (!tool.rate_limited) return std::nullopt;
  std::optional<store::RateLimit> limit = settings.rate_limit;
  if (tool.spec.rate_limit) limit = tool.spec.rate_limit;
  if (terms.rate_limit) limit = terms.rate_limit;
  if (const auto own = settings.principal_limits.find(principal);
      own != settings.principal_limits.end()) {
    limit = own->second;
  }
  if (!limit || limit->per_minute == 0) return std::nullopt;
  limit->burst = std::clamp(limit->burst, 1U, store::kMostBurst);
  return limit;
}

// The time in which an empty bucket fills to `burst` calls.
std::int64_t seconds_to_fill(const store::RateLimit& limit) {
  return (std::int64_t{60} * limit.burst + limit.per_minute - 1) / limit.per_minute;
}

// The period in which `burst` calls are allowed, for messages.
std::string period_of(const store::RateLimit& limit) {
  return limit.burst == limit.per_minute ? "minute"
                                         : fmt::format("{} seconds", seconds_to_fill(limit));
}

// Warns a caller that has few calls left, so that it can slow down instead of being refused.
// `remaining`: calls that are allowed now; the bucket refills all the time.
std::optional<model::Warning> warning_of(const store::RateLimit& limit, const std::string& tool,
                                         std::int64_t remaining) {
  if (remaining * kWarningShare > limit.burst) return std::nullopt;
  const std::int64_t seconds_per_call =
      (std::int64_t{60} + limit.per_minute - 1) / limit.per_minute;
  json::Writer context;
  context.begin_object().member("limit", std::int64_t{limit.burst});
  context.member("remaining", remaining).end_object();
  const std::string now =
      remaining == 0 ? fmt::format("This was the last call of {} that is allowed now", tool)
                     : fmt::format("{} more call{} of {} {} allowed now", remaining,
                                   remaining == 1 ? "" : "s", tool, remaining == 1 ? "is" : "are");
  return contract::make_warning("RATE_LIMIT_APPROACHING",
                                fmt::format("{}; one more is allowed after {} second{}", now,
                                            seconds_per_call, seconds_per_call == 1 ? "" : "s"),
                                std::move(context).finish_value());
}

// The failure of a call over its rate limit, or whose limit cannot be checked. nullopt: the call is
// allowed, and the plan has the state of the limit. `taken`: what `take` returned.
std::optional<model::Response> rate_refusal(const OfferedTool& tool, const AnswerServices& services,
                                            CallPlan& plan, Result<store::RateDecision> taken) {
  const std::optional<store::RateLimit>& limit = plan.limit;
  services.counters_log->note(taken ? nullptr : &taken.error());
  if (!taken && services.settings->limits_fail_open) {
    taken = services.spare_counters->take(bucket_of(plan), *limit, services.host->calendar());
  }
  if (!taken) {
    return contract::make_failure(
        failures::Unavailable{.message = "The rate limit cannot be checked", .retry_after = 5});
  }
  const auto seconds_up = [](std::chrono::microseconds wait) {
    return std::max<std::int64_t>(1, (wait.count() + 999'999) / 1'000'000);
  };
  const std::string reset_at =
      contract::format_time(seconds_of(*services.host) + seconds_up(taken->reset_in));
  // The limit that a caller sees is the burst: what it can spend at once, not per minute.
  if (!taken->allowed) {
    return contract::make_failure(failures::RateLimit{.limit = limit->burst,
                                                      .period = period_of(*limit),
                                                      .retry_after = seconds_up(taken->retry_in),
                                                      .remaining = 0,
                                                      .reset_at = reset_at});
  }
  plan.rate_limit = model::RateLimit{.limit = model::Number::of(limit->burst),
                                     .remaining = model::Number::of(taken->remaining),
                                     .reset_at = reset_at,
                                     .period = period_of(*limit)};
  plan.rate_warning = warning_of(*limit, tool.spec.name, taken->remaining);
  return std::nullopt;
}

// The failure of a call that its feature flag, tier or budget does not allow; nullopt: none. Sets
// the budget of the plan.
std::optional<model::Response> refusal_of(const OfferedTool& tool, const AnswerServices& services,
                                          CallPlan& plan, json::View meta) {
  const ServiceSettings& settings = *services.settings;
  if (!tool.spec.flag.empty()) {
    if (auto refused =
            settings.flags.gate(tool.spec.flag, plan.client, seconds_of(*services.host))) {
      return refused;
    }
  }
  if (tool.spec.tier && *tool.spec.tier > settings.tier.value_or(model::Tier::community)) {
    return contract::make_failure(failures::TierTooLow{
        .feature = tool.spec.name, .required_tier = std::string(model::name(*tool.spec.tier))});
  }
  if (const Status budget = read_budget(meta, plan.fit); !budget) {
    return answer::failure_of(budget.error());
  }
  return std::nullopt;
}

// `_meta` of a call; null: there is none, or it has only members of the protocol.
json::View enfold_meta(const mcp::Call& call) {
  const auto meta = mcp::object_member(call.raw_params.view(), "_meta");
  if (!meta) return {};
  for (const json::Member& member : meta->members()) {
    if (!member.key.string_source().starts_with("io.modelcontextprotocol/")) return *meta;
  }
  return {};
}

// The contract of answers to this client. Adds the warnings of the negotiation to `warnings`.
AnswerContract negotiated_contract(const mcp::Call& call, const std::string& client,
                                   const serve::ConnectionState& connection,
                                   const AnswerServices& services,
                                   std::vector<model::Warning>& warnings) {
  const ServiceSettings& settings = *services.settings;
  const json::View meta = enfold_meta(call);
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
                                                seconds_of(*services.host), /*fallback=*/true);
  if (!stated && !connection.contract && !declared && !is_configured) {
    return has_v2 ? services.contract_with_v2_flag : services.contract_without_v2_flag;
  }
  contract::NegotiationInputs inputs;
  if (stated) inputs.call_meta = contract::stated_version(*stated);
  inputs.tool_negotiated = connection.contract;
  if (declared) inputs.initialize = contract::stated_version(*declared);
  if (is_configured) inputs.client_config = configured->second;
  inputs.default_config = settings.contract;
  inputs.response_contract_v2 = has_v2;
  inputs.allows_none = may_choose_none(settings, client);
  contract::ContractChoice negotiated = contract::negotiate(inputs);
  warnings.insert(warnings.end(), negotiated.warnings.begin(), negotiated.warnings.end());
  return answer_contract(negotiated.contract);
}

// profile_for a client with this name. If several keys of the settings mean it, the longest counts.
const token::Profile& profile_named(const ServiceSettings& settings, const std::string& name,
                                    const mcp::Caller* caller) {
  if (settings.profile != nullptr) return *settings.profile;
  if (settings.client_profiles.empty()) return token::profile_of_client(name);
  const std::string version = caller != nullptr ? caller->client_version() : std::string();
  const token::Profile* configured = nullptr;
  std::size_t longest_key = 0;
  for (const auto& [key, profile] : settings.client_profiles) {
    if (!is_client(key, name, version) || key.size() < longest_key) continue;
    configured = profile;
    longest_key = key.size();
  }
  return configured != nullptr ? *configured : token::profile_of_client(name);
}

std::string name_of(const mcp::Caller* caller) {
  return caller != nullptr ? caller->client_name() : std::string();
}

// The version of the tool, else that of the server; a tool of an upstream (as_sent) may have none.
const std::string& version_of(const OfferedTool& tool, const AnswerServices& services) {
  const bool is_of_upstream = tool.argument_policy == ArgumentPolicy::as_sent;
  return tool.spec.version.empty() && !is_of_upstream ? services.version : tool.spec.version;
}

}  // namespace

void apply_budget(const ServiceSettings& settings, answer::FitSettings& fit) {
  if (settings.budget) {
    fit.budget = *settings.budget;
    fit.target = fit.budget.tokens;
  }
  if (settings.target) fit.target = *settings.target;
}

ClientTerms terms_of_client(const mcp::Call& call, const serve::ConnectionState& connection,
                            const AnswerServices& services) {
  ClientTerms out;
  const std::string name = name_of(call.caller.get());
  out.client = name.empty() ? contract::kAnonymousClient : std::string_view(name);
  out.contract = negotiated_contract(call, out.client, connection, services, out.warnings);
  if (!out.contract && services.settings->budget) {
    out.contract_when_cut = services.contract_with_v2_flag.value_or(contract::Id::response_v2);
  }
  out.profile = &profile_named(*services.settings, name, call.caller.get());
  return out;
}

bool may_choose_none(const ServiceSettings& settings, const std::string& client) {
  const auto own = settings.client_contracts.find(client);
  const std::string& configured =
      own != settings.client_contracts.end() ? own->second : settings.contract;
  return settings.allow_none || contract::parse_version_name(configured) == "none";
}

const token::Profile& profile_for(const ServiceSettings& settings, const mcp::Caller* caller) {
  return profile_named(settings, name_of(caller), caller);
}

answer::Channels channels_for(const ServiceSettings& settings, const token::Profile& profile) {
  const bool reads_both = profile.reads == token::ResultPart::both;
  return reads_both && settings.channels == answer::Channels::both ? answer::Channels::text
                                                                   : settings.channels;
}

CallPlan plan_call(const mcp::Call& call, const OfferedTool& tool, const std::string& principal,
                   ClientTerms client, const AnswerServices& services, const ToolTerms& terms) {
  const json::View meta = enfold_meta(call);
  const ServiceSettings& settings = *services.settings;
  const json::View level_source = level_arguments(call, tool);
  // Filled in place, because a plan is large and every call has one.
  CallPlan plan;
  plan.contract = client.contract;
  plan.contract_when_cut = client.contract_when_cut;
  set_fit(plan.fit, tool, client.contract, services, *client.profile);
  plan.tool.id = tool.spec.name;
  plan.tool.version = version_of(tool, services);
  plan.tool.tier = settings.tier;
  plan.tool.capabilities = tool.spec.capabilities;
  plan.tool_is_clean = tool.has_clean_name;
  plan.structured = !tool.spec.payload_schema->is_null();
  plan.input_schema = tool.spec.input_schema.view();
  if (tool.payload) plan.declared = {&*tool.payload, tool.answers_in_envelope};
  plan.called_as = std::get_if<mcp::ToolCall>(&call.params)->name;
  plan.level =
      terms.level
          ? level::determine_response_level({.default_level = terms.level, .per_tool = {}},
                                            tool.spec.name, level_source, meta)
          : level::determine_response_level(settings.levels, tool.spec.name, level_source, meta);
  plan.arguments = arguments_for_tool(call, tool);
  plan.warnings = std::move(client.warnings);
  plan.request_id = request_id_of(meta, *services.host, plan.warnings);
  plan.request_id_in_envelope = settings.request_id_in_envelope;
  if (!settings.request_id_in_envelope) plan.fit.shape.request_id_in_meta = plan.request_id;
  plan.principal = principal;
  plan.client = std::move(client.client);
  plan.profile = client.profile;
  plan.limit = limit_of(tool, terms, settings, plan.principal);
  plan.refusal = refusal_of(tool, services, plan, meta);
  return plan;
}

bool check_arguments(CallPlan& plan, const OfferedTool& tool) {
  if (!plan.refusal && tool.argument_policy == ArgumentPolicy::checked) {
    plan.refusal = argument_refusal(tool, plan.arguments.view());
  }
  return !plan.refusal;
}

Result<store::RateDecision> take(const CallPlan& plan, const AnswerServices& services) {
  return services.counters->take(bucket_of(plan), *plan.limit, services.host->calendar());
}

void admit(CallPlan& plan, const OfferedTool& tool, const AnswerServices& services) {
  if (!check_arguments(plan, tool)) return;
  finish_admission(plan, tool, services, plan.limit ? take(plan, services) : store::RateDecision{});
}

void finish_admission(CallPlan& plan, const OfferedTool& tool, const AnswerServices& services,
                      const Result<store::RateDecision>& taken) {
  if (plan.limit) plan.refusal = rate_refusal(tool, services, plan, taken);
  const bool looks_for_markers =
      tool.argument_policy != ArgumentPolicy::checked && services.settings->redaction;
  if (plan.refusal || !looks_for_markers) return;
  const json::View arguments = plan.arguments.view();
  if (const auto marker = redact::find_marker(arguments)) {
    plan.refusal = marker_refusal(tool, *marker, arguments);
  }
}

}  // namespace enfold::tools

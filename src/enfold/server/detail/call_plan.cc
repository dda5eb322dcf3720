// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/call_plan.h"

#include "enfold/base/suggest.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/contract/negotiation/negotiation.h"
#include "enfold/contract/request_id.h"
#include "enfold/redact/redact.h"
#include "enfold/token/profile.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::server {
namespace {

namespace failures = contract::failures;

constexpr std::string_view kContractMeta = "dev.enfold/contract";
constexpr std::string_view kBudgetMeta = "dev.enfold/budget";
constexpr std::string_view kCapability = "dev.enfold/response";
constexpr std::size_t kMostProblems = 10;

// Where a call says what it wants of us. What the protocol itself puts there is none of our
// business, and most often there is nothing else: then nobody need search it.
json::View meta_of(const mcp::Call& call) {
  const auto meta = mcp::object_member(call.raw_params.view(), "_meta");
  if (!meta) return {};
  for (const json::Member& member : meta->members()) {
    if (!member.key.string_source().starts_with("io.modelcontextprotocol/")) return *meta;
  }
  return {};
}

std::string name_of(const mcp::Caller* caller) {
  return caller != nullptr ? caller->client_name() : std::string();
}

std::string client_of(std::string name) {
  if (name.empty()) name = contract::kAnonymousClient;
  return name;
}

std::string request_id_of(json::View meta, serve::Host& host) {
  if (!meta.is_null()) {
    std::string given = contract::request_id_from(meta);
    if (!given.empty()) return given;
  }
  std::array<std::uint8_t, 6> chance{};
  host.fill_random(chance);
  return contract::make_request_id(chance);
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_level_argument(json::View name) {
  if (name.string_source().size() < level::kRichArgument.size()) return false;  // the shortest
  return name.equals(level::kLevelArgument) || name.equals(level::kRichArgument) ||
         name.equals(level::kMinimalArgument);
}

// Where a call asks for a level: in its arguments, unless the tool has an argument of that name.
json::View asks_for_level(const mcp::Call& call, const OfferedTool& tool) {
  const json::View arguments = std::get_if<mcp::ToolCall>(&call.params)->arguments.view();
  if (has(tool.arguments, level::kLevelArgument)) return {};
  for (const json::Member& member : arguments.members()) {
    if (is_level_argument(member.key)) return arguments;
  }
  return {};
}

// A null where nothing is required counts as absent: many clients fill what they leave out.
json::Value own_arguments(const mcp::Call& call, const OfferedTool& tool) {
  const auto& sent = std::get_if<mcp::ToolCall>(&call.params)->arguments;
  if (tool.kind == OfferedTool::Kind::upstream) return sent;  // it has its own way with them
  const auto is_dropped = [&](const json::Member& member) {
    if (!member.value.is_null() && !is_level_argument(member.key)) return false;
    const std::string name = member.key.string();
    const bool declared = has(tool.arguments, name);
    return declared ? member.value.is_null() && !has(tool.required, name)
                    : is_level_argument(member.key);
  };
  bool any = sent->is_null();
  for (const json::Member& member : sent->members()) any = any || is_dropped(member);
  if (!any) return sent;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : sent->members()) {
    if (!is_dropped(member)) writer.key(member.key).value(member.value);
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

Status read_budget(json::View meta, budget::Budget& budget) {
  const auto stated = meta.find(kBudgetMeta);
  if (!stated || stated->is_null()) return {};
  const auto take = [](std::optional<json::View> value, std::size_t& place) {
    const auto number = value ? value->integer() : std::nullopt;
    if (number && *number > 0) place = static_cast<std::size_t>(*number);
    return !value || (number && *number > 0);
  };
  bool good = true;
  if (stated->is_object()) {
    good = take(stated->find("tokens"), budget.tokens) &&
           take(stated->find("characters"), budget.characters);
  } else {
    good = take(stated, budget.tokens);
  }
  const std::string where = fmt::format("_meta {}", kBudgetMeta);
  if (!good) {
    return fail(ErrorCode::budget_too_small,
                fmt::format("expected a budget of at least {} tokens, found {}",
                            budget::kSmallestBudget, json::to_text(*stated).substr(0, 80)),
                where, fmt::format("ask for {} tokens or more", budget::kSmallestBudget));
  }
  if (const Status status = budget::check(budget); !status) {
    return fail(status.error().code, status.error().message, where, status.error().hint);
  }
  return {};
}

// NAME, or NAME/VERSION up to any of its dots.
bool is_client(std::string_view key, std::string_view name, std::string_view version) {
  if (key == name) return true;
  if (!key.starts_with(name) || key.size() < name.size() + 2 || key[name.size()] != '/') {
    return false;
  }
  const std::string_view part = key.substr(name.size() + 1);
  return version == part || (version.starts_with(part) && version[part.size()] == '.');
}

answer::FitSettings fit_settings(const OfferedTool& tool, AnswerContract contract,
                                 const Settings& settings, const token::Profile& profile) {
  answer::FitSettings fit{
      .shape = {.contract = contract.value_or(contract::Id::response_v2),
                .members = settings.members,
                .redaction = settings.redaction,
                .channels = channels_for(settings, profile)},
      .policy = tool.spec.policy,
      .schema = tool.payload && !tool.answers_in_envelope ? &*tool.payload : nullptr,
      .tokenizer = profile.tokenizer,
      .media = profile.media,
      .unstored = settings.unstored};
  answer::use_profile(fit, profile);
  if (settings.budget) fit.budget = *settings.budget;
  return fit;
}

std::optional<store::RateLimit> limit_of(const OfferedTool& tool, const ToolTerms& terms,
                                         const Settings& settings, const std::string& principal) {
  if (tool.kind == OfferedTool::Kind::server) return std::nullopt;
  std::optional<store::RateLimit> limit = settings.rate_limit;
  if (tool.spec.rate_limit) limit = tool.spec.rate_limit;
  if (terms.rate_limit) limit = terms.rate_limit;
  if (const auto own = settings.principal_limits.find(principal);
      own != settings.principal_limits.end()) {
    limit = own->second;
  }
  return limit && limit->per_minute > 0 ? limit : std::nullopt;
}

std::optional<model::Response> rate_refusal(const Shared& shared, CallPlan& plan) {
  const std::optional<store::RateLimit>& limit = plan.limit;
  if (!limit) return std::nullopt;
  const Result<store::Taken> taken =
      shared.counters->take({plan.principal, plan.counted_as}, *limit, shared.host->calendar());
  if (!taken) {
    return contract::make_failure(
        failures::Unavailable{.message = "The rate limit cannot be checked", .retry_after = 5});
  }
  const auto up = [](std::chrono::microseconds wait) {
    return std::max<std::int64_t>(1, (wait.count() + 999'999) / 1'000'000);
  };
  const std::string reset_at =
      contract::format_time(seconds_of(*shared.host) + up(taken->reset_in));
  if (!taken->allowed) {
    return contract::make_failure(failures::RateLimit{.limit = limit->per_minute,
                                                      .retry_after = up(taken->retry_in),
                                                      .remaining = 0,
                                                      .reset_at = reset_at});
  }
  plan.rate_limit = model::RateLimit{.limit = model::Number::of(limit->per_minute),
                                     .remaining = model::Number::of(taken->remaining),
                                     .reset_at = reset_at,
                                     .period = "minute"};
  return std::nullopt;
}

std::optional<model::Response> argument_refusal(const OfferedTool& tool, json::View arguments) {
  if (auto refused = marker_refusal(arguments)) return refused;
  const Result<schema::Validation> checked = tool.input.validate(arguments, {}, kMostProblems);
  if (!checked) return failure_of(checked.error());
  if (checked->valid) return std::nullopt;
  std::vector<Problem> problems;
  for (const schema::Violation& violation : checked->violations) {
    problems.push_back({violation.instance, violation.expected, violation.found});
  }
  return bad_arguments(tool, problems);
}

std::optional<model::Response> refusal_of(const OfferedTool& tool, const Shared& shared,
                                          CallPlan& plan, json::View meta) {
  const Settings& settings = shared.server->settings();
  if (!tool.spec.flag.empty()) {
    if (auto refused = settings.flags.gate(tool.spec.flag, plan.client, seconds_of(*shared.host))) {
      return refused;
    }
  }
  if (tool.spec.tier && *tool.spec.tier > settings.tier.value_or(model::Tier::community)) {
    return contract::make_failure(failures::TierTooLow{
        .feature = tool.spec.name, .required_tier = std::string(model::name(*tool.spec.tier))});
  }
  if (const Status budget = read_budget(meta, plan.fit.budget); !budget) {
    return failure_of(budget.error());
  }
  return std::nullopt;
}

AnswerContract contract_of_client(const mcp::Call& call, json::View meta, const std::string& client,
                                  const serve::Memory& memory, const Shared& shared,
                                  std::vector<model::Warning>& warnings) {
  const Settings& settings = shared.server->settings();
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
                                                seconds_of(*shared.host), true);
  if (!stated && !memory.contract && !declared && !is_configured) {
    return has_v2 ? shared.unasked.with_v2 : shared.unasked.without_v2;
  }
  contract::NegotiationInputs inputs;
  if (stated) inputs.call_meta = contract::stated_version(*stated);
  inputs.tool_negotiated = memory.contract;
  if (declared) inputs.initialize = contract::stated_version(*declared);
  if (is_configured) inputs.client_config = configured->second;
  inputs.default_config = settings.contract;
  inputs.response_contract_v2 = has_v2;
  contract::Negotiated negotiated = contract::negotiate(inputs);
  warnings.insert(warnings.end(), negotiated.warnings.begin(), negotiated.warnings.end());
  return answer_contract(negotiated.contract);
}

const token::Profile& profile_of(const Settings& settings, const mcp::Caller* caller,
                                 std::string_view name) {
  if (settings.profile != nullptr) return *settings.profile;
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

// "/name" for people: name; "/filter/min": filter.min.
std::string spoken(std::string_view pointer) {
  std::string out(pointer.starts_with('/') ? pointer.substr(1) : pointer);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

}  // namespace

std::int64_t seconds_of(const serve::Host& host) {
  return std::chrono::duration_cast<std::chrono::seconds>(host.calendar().time_since_epoch())
      .count();
}

AnswerContract contract_for(const mcp::Call& call, const serve::Memory& memory,
                            const Shared& shared, std::vector<model::Warning>& warnings) {
  return contract_of_client(call, meta_of(call), client_of(name_of(call.caller.get())), memory,
                            shared, warnings);
}

Shared::Unasked unasked_contract(const Settings& settings) {
  contract::NegotiationInputs inputs{.default_config = settings.contract};
  Shared::Unasked out;
  out.with_v2 = answer_contract(contract::negotiate(inputs).contract);
  inputs.response_contract_v2 = false;
  out.without_v2 = answer_contract(contract::negotiate(inputs).contract);
  return out;
}

const token::Profile& profile_for(const Settings& settings, const mcp::Caller* caller) {
  return profile_of(settings, caller, name_of(caller));
}

answer::Channels channels_for(const Settings& settings, const token::Profile& profile) {
  const bool twice = profile.reads == token::Reads::both;
  return twice && settings.channels == answer::Channels::both ? answer::Channels::text
                                                              : settings.channels;
}

CallPlan plan_call(const mcp::Call& call, const OfferedTool& tool, const serve::Memory& memory,
                   const Shared& shared, const ToolTerms& terms) {
  const json::View meta = meta_of(call);
  const Settings& settings = shared.server->settings();
  const std::string name = name_of(call.caller.get());
  std::string client = client_of(name);
  std::vector<model::Warning> warnings;
  const AnswerContract contract = contract_of_client(call, meta, client, memory, shared, warnings);
  const json::View asking = asks_for_level(call, tool);
  // Built where it is used: a plan is large, and every call has one.
  CallPlan plan{
      .principal = memory.principal,
      .request_id = request_id_of(meta, *shared.host),
      .client = std::move(client),
      .contract = contract,
      .level = terms.level
                   ? level::determine_response_level({.default_level = terms.level, .per_tool = {}},
                                                     tool.spec.name, asking, meta)
                   : level::determine_response_level(settings.levels, tool.spec.name, asking, meta),
      .arguments = own_arguments(call, tool),
      .fit = fit_settings(tool, contract, settings, profile_of(settings, call.caller.get(), name)),
      .warnings = std::move(warnings)};
  plan.limit = limit_of(tool, terms, settings, plan.principal);
  plan.counted_as = terms.counted_as.empty() ? tool.spec.name : terms.counted_as;
  // Only an answer that is cut needs them; for our own tools that is decided later.
  if (tool.kind != OfferedTool::Kind::author) {
    plan.fit.policy.terms = budget::terms_of(plan.arguments.view());
  }
  plan.refusal = refusal_of(tool, shared, plan, meta);
  return plan;
}

void admit(CallPlan& plan, const OfferedTool& tool, const Shared& shared) {
  if (!plan.refusal) plan.refusal = rate_refusal(shared, plan);
  if (plan.refusal) return;
  if (tool.kind == OfferedTool::Kind::author) {
    plan.refusal = argument_refusal(tool, plan.arguments.view());
  } else if (tool.kind == OfferedTool::Kind::upstream && plan.contract &&
             shared.server->settings().redaction) {
    plan.refusal = marker_refusal(plan.arguments.view());
  }
}

std::optional<model::Response> marker_refusal(json::View arguments) {
  const auto marker = redact::find_marker(arguments);
  if (!marker) return std::nullopt;
  return contract::make_failure(failures::Validation{
      .message = fmt::format("{}: expected a value, found the marker of a secret that was taken "
                             "out ([REDACTED:{}])",
                             marker->pointer, marker->label),
      .field = marker->pointer,
      .extra = {.remediation = {"Leave this argument out, or ask the user for its value."}}});
}

model::Response bad_arguments(const OfferedTool& tool, const std::vector<Problem>& problems) {
  json::Writer details;
  details.begin_object().key("problems").begin_array();
  std::vector<std::string> remediation;
  std::string message;
  std::string missing;
  for (const Problem& problem : problems) {
    const bool unknown = problem.expected == "no further members";
    std::string place = spoken(problem.place);
    if (problem.found == "missing" && problem.expected.starts_with("member \"")) {
      const std::string name = problem.expected.substr(8, problem.expected.size() - 9);
      place += (place.empty() ? "" : ".") + name;
      if (missing.empty()) missing = place;
    }
    const std::string expected = unknown ? "no such argument" : problem.expected;
    if (message.empty()) {
      message = fmt::format("{}: expected {}, found {}", place.empty() ? "arguments" : place,
                            expected, problem.found);
    }
    if (unknown) {
      remediation.push_back(did_you_mean(place, tool.arguments, "Leave " + place + " out."));
    }
    details.begin_object().member("argument", place).member("expected", expected);
    details.member("found", problem.found).end_object();
  }
  details.end_array().end_object();
  if (remediation.empty()) {
    remediation.push_back(
        fmt::format("Correct the arguments of {} and call it again.", tool.spec.name));
  }
  failures::Extra extra{.remediation = std::move(remediation),
                        .details = std::move(details).finish_value()};
  if (problems.size() == 1 && !missing.empty()) {
    return contract::make_failure(
        failures::MissingRequired{.field = missing, .extra = std::move(extra)});
  }
  return contract::make_failure(
      failures::Validation{.message = std::move(message), .extra = std::move(extra)});
}

}  // namespace enfold::server

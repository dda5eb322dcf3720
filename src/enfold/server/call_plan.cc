// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/call_plan.h"

#include "enfold/base/suggest.h"
#include "enfold/contract/failures.h"
#include "enfold/contract/negotiation.h"
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

json::View meta_of(const mcp::Call& call) {
  return mcp::object_member(call.raw_params.view(), "_meta").value_or(json::View());
}

std::string client_of(const mcp::Call& call) {
  std::string name = call.caller ? call.caller->client_name() : std::string();
  return name.empty() ? std::string(contract::kAnonymousClient) : name;
}

std::string request_id_of(json::View meta, Host& host) {
  std::string given = contract::request_id_from(meta);
  if (!given.empty()) return given;
  std::array<std::uint8_t, 6> chance{};
  host.fill_with_chance(chance);
  return contract::make_request_id(chance);
}

bool is_level_argument(std::string_view name) {
  return name == level::kLevelArgument || name == level::kRichArgument ||
         name == level::kMinimalArgument;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A null where nothing is required counts as absent: many clients fill what they leave out.
json::Value own_arguments(const mcp::Call& call, const OfferedTool& tool) {
  const auto& sent = std::get_if<mcp::ToolCall>(&call.params)->arguments;
  if (tool.kind == OfferedTool::Kind::upstream) return sent;  // it has its own way with them
  const auto is_dropped = [&](const json::Member& member) {
    const std::string name = member.key.string();
    const bool declared = has(tool.arguments, name);
    return declared ? member.value.is_null() && !has(tool.required, name) : is_level_argument(name);
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

pipeline::FitSettings fit_settings(const OfferedTool& tool, const CallPlan& plan,
                                   const Settings& settings, const token::Profile& profile) {
  pipeline::FitSettings fit;
  if (plan.contract) fit.shape.contract = *plan.contract;
  fit.shape.members = settings.members;
  fit.shape.channels = channels_for(settings, profile);
  fit.shape.redaction = settings.redaction;
  pipeline::use_profile(fit, profile);
  if (settings.budget) fit.budget = *settings.budget;
  fit.policy = tool.spec.policy;
  fit.schema = tool.payload ? &*tool.payload : nullptr;
  fit.unstored = settings.unstored;
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
  const Result<json::Validation> checked = tool.input.validate(arguments, {}, kMostProblems);
  if (!checked) return failure_of(checked.error());
  if (checked->valid) return std::nullopt;
  std::vector<Problem> problems;
  for (const json::Violation& violation : checked->violations) {
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

// "/name" for people: name; "/filter/min": filter.min.
std::string spoken(std::string_view pointer) {
  std::string out(pointer.starts_with('/') ? pointer.substr(1) : pointer);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

}  // namespace

std::int64_t seconds_of(const Host& host) {
  return std::chrono::duration_cast<std::chrono::seconds>(host.calendar().time_since_epoch())
      .count();
}

AnswerContract contract_for(const mcp::Call& call, const Memory& memory, const Shared& shared,
                            std::vector<model::Warning>& warnings) {
  const Settings& settings = shared.server->settings();
  const std::string client = client_of(call);
  contract::NegotiationInputs inputs;
  if (const auto stated = meta_of(call).find(kContractMeta)) {
    inputs.call_meta = contract::stated_version(*stated);
  }
  inputs.tool_negotiated = memory.contract;
  if (call.caller) {
    const json::View declared = call.caller->capabilities.value().view();
    const auto experimental = mcp::object_member(declared, "experimental");
    const auto ours = experimental ? experimental->find(kCapability) : std::nullopt;
    if (ours) inputs.initialize = contract::stated_version(*ours);
  }
  if (const auto found = settings.client_contracts.find(client);
      found != settings.client_contracts.end()) {
    inputs.client_config = found->second;
  }
  inputs.default_config = settings.contract;
  inputs.response_contract_v2 =
      settings.flags
          .evaluate(contract::kResponseContractFlag, client, seconds_of(*shared.host), true)
          .enabled;
  contract::Negotiated negotiated = contract::negotiate(inputs);
  warnings.insert(warnings.end(), negotiated.warnings.begin(), negotiated.warnings.end());
  return answer_contract(negotiated.contract);
}

const token::Profile& profile_for(const Settings& settings, const mcp::Caller* caller) {
  if (settings.profile != nullptr) return *settings.profile;
  const std::string name = caller != nullptr ? caller->client_name() : std::string();
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

pipeline::Channels channels_for(const Settings& settings, const token::Profile& profile) {
  const bool twice = profile.reads == token::Reads::both;
  return twice && settings.channels == pipeline::Channels::both ? pipeline::Channels::text
                                                                : settings.channels;
}

CallPlan plan_call(const mcp::Call& call, const OfferedTool& tool, const Memory& memory,
                   const Shared& shared, const ToolTerms& terms) {
  const json::View meta = meta_of(call);
  const Settings& settings = shared.server->settings();
  CallPlan plan;
  plan.principal = memory.principal;
  plan.request_id = request_id_of(meta, *shared.host);
  plan.client = client_of(call);
  plan.contract = contract_for(call, memory, shared, plan.warnings);
  plan.arguments = own_arguments(call, tool);
  level::LevelRequest request{.tool = tool.spec.name, .meta = json::Value(meta)};
  if (!has(tool.arguments, std::string(level::kLevelArgument))) {
    request.arguments = std::get_if<mcp::ToolCall>(&call.params)->arguments;
  }
  plan.level = terms.level ? level::determine_response_level(
                                 {.default_level = terms.level, .per_tool = {}}, request)
                           : level::determine_response_level(settings.levels, request);
  plan.fit = fit_settings(tool, plan, settings, profile_for(settings, call.caller.get()));
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

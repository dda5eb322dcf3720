// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/finish_answer.h"

#include "enfold/base/hash.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/contract/errors/warning_codes.h"
#include "enfold/json/member.h"
#include "enfold/tools/fetch_tool.h"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>

namespace enfold::server {
namespace {

namespace failures = contract::failures;

constexpr std::int64_t kStateLife = 3600;
// A link beside an answer, as clients show it to their model; small answers have no room for it.
constexpr std::size_t kLinkTokens = 64;
constexpr std::size_t kLinkCharacters = 300;
constexpr std::size_t kLeastWithLink = 1'000;
constexpr std::int64_t kFewOf = 5;  // a fifth of the calls, or less, is few

std::string code_of(const model::Response& response) {
  if (!response.failure) return {};
  if (!response.failure->code.empty()) return response.failure->code;
  return std::string(contract::traits(response.failure->kind).code);
}

// Contract `none`: the declared fields and nothing else, in words where they are words.
json::Output write_bare(const model::Response& response, const OfferedTool& tool) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  const bool structured = !tool.spec.payload_schema->is_null();
  if (response.failure) {
    std::string text = response.failure->message;
    for (const std::string& advice : response.failure->remediation) text += "\n" + advice;
    writer.value(mcp::text_block(text));
  } else if (response.payload && structured) {
    writer.value(mcp::text_block(json::to_text(response.payload->view())));
  } else if (response.payload) {
    const auto words = json::string_member(response.payload->view(), "text");
    if (words) writer.value(mcp::text_block(*words));
  }
  for (const json::Value& block : response.blocks) writer.value(block);
  writer.end_array();
  if (structured && response.payload && !response.failure) {
    writer.member("structuredContent", *response.payload);
  }
  if (response.failure) writer.member("isError", true);
  writer.end_object();
  return std::move(writer).finish();
}

// Somebody who is told in time can slow down instead of being refused.
void warn_of_limit(model::Response& response, const OfferedTool& tool, const CallPlan& plan) {
  if (response.failure || !plan.limit || !plan.rate_limit || !plan.rate_limit->remaining) return;
  const std::string& remaining = plan.rate_limit->remaining->text;
  if (std::stoll(remaining) * kFewOf > plan.limit->burst) return;
  response.warnings.push_back(contract::make_warning(
      "RATE_LIMIT_APPROACHING",
      fmt::format("{} more calls of {} are allowed until {}", remaining, tool.spec.name,
                  plan.rate_limit->reset_at.value_or("the limit is reset"))));
}

void add(model::Response& response, Additions additions, const OfferedTool& tool,
         const CallPlan& plan, const Shared& shared) {
  response.tool.id = tool.spec.name;
  response.tool.version = tool.spec.version.empty() ? shared.server->version() : tool.spec.version;
  response.tool.tier = shared.server->settings().tier;
  response.tool.capabilities = tool.spec.capabilities;
  response.level = plan.level.level;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(response.warnings, plan.warnings);
  append(response.warnings, plan.level.warnings);
  append(response.warnings, additions.warnings);
  append(response.upgrade_hints, additions.upgrade_hints);
  append(response.blocks, additions.blocks);
  if (!response.failure) {
    if (response.message.empty()) response.message = std::move(additions.message);
    if (additions.partial) response.outcome = model::Outcome::partial;
    if (additions.page) response.page = std::move(additions.page);
  }
  add_rate_limit(response, tool, plan);
}

// The last resort: says nothing but that it failed, and always fits.
Concluded give_up(const OfferedTool& tool, const CallPlan& plan, const Shared& shared) {
  model::Response failed = contract::make_failure(failures::Internal{
      .message = "The answer could not be written", .extra = {.request_id = plan.request_id}});
  failed.request_id = plan.request_id;
  failed.tool.id = tool.spec.name;
  failed.tool.tier = shared.server->settings().tier;
  answer::Settings shape = plan.fit.shape;
  shape.redaction = std::nullopt;
  if (plan.contract) {
    const auto answer = answer::understand_response(failed, "gave up", shape, {});
    auto result = answer ? answer::write_result(*answer, shape)
                         : Result<json::Output>(tl::unexpected(answer.error()));
    if (result) return concluded(failed, std::move(*result));
  }
  return concluded(failed, write_bare(failed, tool));
}

Concluded write(const answer::Understood& answer, const OfferedTool& tool, const CallPlan& plan,
                const Shared& shared) {
  Result<json::Output> result = answer::write_result(answer, plan.fit.shape);
  if (!result) return give_up(tool, plan, shared);
  return concluded(answer.reading.response, std::move(*result));
}

bool is_small(const model::Response& response, const budget::Budget& budget) {
  const std::size_t bytes = response.payload ? response.payload->view().raw().size() : 0;
  return response.blocks.empty() && 4 * bytes <= budget.tokens;
}

Concluded ask(NeedsInput needs, const OfferedTool& tool, const CallPlan& plan,
              const Shared& shared) {
  mcp::InputRequired required{std::move(needs.requests), std::nullopt, {}};
  if (needs.state) {
    required.state = seal_state(*needs.state, tool.spec.name, plan.principal, shared);
  }
  return {std::move(required), "input_required", {}};
}

store::Time calendar_seconds(const serve::Host& host) {
  return std::chrono::floor<std::chrono::seconds>(host.calendar());
}

}  // namespace

Concluded concluded(const model::Response& response, json::Output result) {
  Concluded out{mcp::complete(std::move(result)), std::string(model::name(response.outcome)),
                code_of(response)};
  if (response.reduction) out.fidelity = model::name(response.reduction->level);
  return out;
}

answer::Call call_of(const OfferedTool& tool, const CallPlan& plan, const AnswerFacts& facts) {
  answer::Call call{
      .tool = facts.tool, .request_id = plan.request_id, .tool_is_clean = tool.is_clean};
  // Operators read it in the log; a model pays for it only where it asked for detail or where the
  // contract demands it.
  const bool shown =
      plan.level.level > model::Level::minimal || plan.contract == contract::Id::scalpel_v1;
  if (shown) call.duration_ms = model::Number::of((facts.duration.count() + 500) / 1000);
  return call;
}

bool fits_for_certain(const json::Output& result, const budget::Budget& budget) {
  return !budget.lines && 2 * result.size() <= budget.tokens && result.size() <= budget.characters;
}

void add_rate_limit(model::Response& response, const OfferedTool& tool, const CallPlan& plan) {
  if (!response.rate_limit) response.rate_limit = plan.rate_limit;
  warn_of_limit(response, tool, plan);
}

Begun begin_answer(Given&& given, Additions additions, const OfferedTool& tool,
                   const CallPlan& plan, const AnswerFacts& facts, const Shared& shared) {
  if (!given.problems.empty()) {
    return conclude_failure(bad_arguments(tool, given.problems), tool, plan, facts, shared);
  }
  if (given.needs) return ask(std::move(*given.needs), tool, plan, shared);
  add(given.response, std::move(additions), tool, plan, shared);
  if (!plan.contract) return concluded(given.response, write_bare(given.response, tool));
  Result<answer::Understood> understood = answer::understand_response(
      std::move(given.response), "the tool's code", plan.fit.shape, call_of(tool, plan, facts));
  if (!understood) return give_up(tool, plan, shared);
  if (is_small(understood->reading.response, plan.fit.budget)) {
    Result<json::Output> whole = answer::write_result(*understood, plan.fit.shape);
    if (whole && fits_for_certain(*whole, plan.fit.budget)) {
      return concluded(understood->reading.response, std::move(*whole));
    }
  }
  Result<answer::Prepared> prepared = answer::prepare(std::move(*understood), plan.fit);
  if (!prepared) return give_up(tool, plan, shared);
  if (prepared->fits) return write(prepared->answer, tool, plan, shared);
  return std::move(*prepared);
}

Result<store::Receipt> keep(const answer::Prepared& prepared, const OfferedTool& tool,
                            const CallPlan& plan, const Shared& shared) {
  if (!shared.server->settings().keeps_originals) {
    return fail(ErrorCode::unsupported, "there is no archive");
  }
  return shared.archive->put(plan.principal, prepared.to_store(),
                             {.tool = tool.spec.name,
                              .arguments_hash = sha256_name(plan.arguments->raw()),
                              .media_type = prepared.media_type},
                             calendar_seconds(*shared.host));
}

Concluded finish_answer(answer::Prepared prepared, const OfferedTool& tool, const CallPlan& plan,
                        const Shared& shared) {
  const std::size_t bytes = prepared.to_store().size();
  const Result<store::Receipt> stored = keep(prepared, tool, plan, shared);
  Result<answer::Receipt> receipt =
      stored ? Result<answer::Receipt>(answer::Receipt{stored->handle, stored->hash})
             : tl::unexpected(stored.error());
  answer::FitSettings fit = plan.fit;
  fit.policy.terms = budget::terms_of(plan.arguments.view());
  const bool links = plan.link != nullptr && stored && fit.budget.tokens >= kLeastWithLink;
  if (links) {
    fit.budget.tokens -= kLinkTokens;
    fit.budget.characters -= std::min(fit.budget.characters / 2, kLinkCharacters);
  }
  Result<answer::Finished> finished = answer::finish(std::move(prepared), receipt, fit);
  if (finished && links) {
    finished->answer.reading.response.blocks.push_back(plan.link(stored->handle, tool.spec.name));
    finished->size.tokens += kLinkTokens;
  }
  if (finished) {
    Concluded out = write(finished->answer, tool, plan, shared);
    out.tokens = finished->size.tokens;
    out.archived_bytes = stored ? bytes : 0;
    return out;
  }
  if (finished.error().code != ErrorCode::budget_too_small) return give_up(tool, plan, shared);
  Given failed{.response = failure_of(finished.error())};
  add(failed.response, {}, tool, plan, shared);
  failed.response.request_id = plan.request_id;
  const auto answer =
      answer::understand_response(std::move(failed.response), "budget", plan.fit.shape, {});
  return answer ? write(*answer, tool, plan, shared) : give_up(tool, plan, shared);
}

Concluded conclude_failure(model::Response failed, const OfferedTool& tool, const CallPlan& plan,
                           const AnswerFacts& facts, const Shared& shared) {
  add(failed, {}, tool, plan, shared);
  if (!plan.contract) return concluded(failed, write_bare(failed, tool));
  const auto answer = answer::understand_response(std::move(failed), "the library refused",
                                                  plan.fit.shape, call_of(tool, plan, facts));
  return answer ? write(*answer, tool, plan, shared) : give_up(tool, plan, shared);
}

Concluded conclude_fetch(const OfferedTool& tool, const CallPlan& plan, const AnswerFacts& facts,
                         const Shared& shared) {
  const tools::FetchSource source{.archive = shared.archive.get(),
                                  .key = &shared.key,
                                  .principal = plan.principal,
                                  .now = calendar_seconds(*shared.host)};
  // Its fields are whatever was archived: there is no schema to keep to but that of the envelope.
  answer::FitSettings fit = plan.fit;
  fit.schema = nullptr;
  answer::Understood answer =
      tools::fetch(plan.arguments.view(), source, fit, call_of(tool, plan, facts));
  model::Response& response = answer.reading.response;
  if (plan.contract) return write(answer, tool, plan, shared);
  return concluded(response, write_bare(response, tool));
}

std::string seal_state(const json::Value& state, std::string_view about, std::string_view principal,
                       const Shared& shared) {
  json::Writer writer;
  writer.begin_object().member("state", state).member("about", about);
  writer.member("until", seconds_of(*shared.host) + kStateLife).end_object();
  return contract::sign_cursor(std::move(writer).finish_value().view(), shared.key, principal);
}

Result<json::Value> open_state(std::string_view sealed, std::string_view about,
                               std::string_view principal, const Shared& shared) {
  const Result<json::Value> opened = contract::verify_cursor(sealed, shared.key, principal);
  if (!opened) {
    return fail(ErrorCode::invalid_input, "expected requestState as this server gave it",
                "requestState", "call again without it");
  }
  const json::View position = opened->view();
  const auto until = position.find("until");
  const auto state = position.find("state");
  const bool good = state && until && until->integer() &&
                    *until->integer() >= seconds_of(*shared.host) &&
                    json::string_member(position, "about") == about;
  if (!good) {
    return fail(ErrorCode::invalid_input,
                "expected a requestState of this call that is not older "
                "than an hour",
                "requestState", "call again without it");
  }
  return json::Value(*state);
}

}  // namespace enfold::server

// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/answer.h"

#include "enfold/answer/fit/measure.h"
#include "enfold/answer/provenance.h"
#include "enfold/answer/stored/places.h"
#include "enfold/answer/withhold.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/continuation.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/json/pointer.h"
#include "enfold/model/content.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::answer {
namespace {

namespace failures = contract::failures;

// An answer gets no link to its original if its budget is smaller than kLeastWithLink, or if the
// link would cost more than an eighth of the tokens or lines, or more than half of the characters.
constexpr std::size_t kLeastWithLink = 1'000;  // tokens of the budget
constexpr std::size_t kLinkShare = 8;          // of tokens and lines
constexpr std::size_t kLinkShareOfCharacters = 2;

template <class To, class From>
void append(To& to, const From& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::string code_of(const model::Response& response) {
  if (!response.failure) return {};
  if (!response.failure->code.empty()) return response.failure->code;
  return std::string(contract::traits(response.failure->kind).code);
}

// `result` with its outcome; without `_meta` and facts, which only answers in a contract have.
ShapedAnswer shaped(const model::Response& response, json::Output result) {
  ShapedAnswer out{
      .result = std::move(result), .outcome = outcome_of(response), .code = code_of(response)};
  if (response.reduction) out.fidelity = response.reduction->level;
  return out;
}

// Whether the payload is the text of the result's only block, and no JSON that the text holds.
bool is_text(const ReadAnswer& answer) {
  const auto& payload = answer.reading.response.payload;
  const json::View result = answer.source.view();
  if (!payload || !payload->view().is_string() || result.find("structuredContent")) return false;
  const auto blocks = result.find("content");
  const auto block = blocks && blocks->size() == 1 ? blocks->item(0) : std::nullopt;
  const auto text = block ? model::text_of(*block) : std::nullopt;
  return text && text->raw() == payload->view().raw();
}

AnswerFacts facts_of(const ReadAnswer& answer) {
  const model::Response& response = answer.reading.response;
  AnswerFacts facts{.redactions = answer.redactions};
  if (!answer.is_made_here) {
    facts.source = answer.source;
    facts.is_text = is_text(answer);
  }
  facts.is_repaired = std::ranges::any_of(
      response.warnings, [](const model::Warning& one) { return one.code == "SCHEMA_REPAIRED"; });
  if (response.failure) {
    facts.kind = response.failure->kind;
    facts.error = utf8::shortened(response.failure->message, kLongestFactError);
  }
  return facts;
}

ShapedAnswer shaped(const ReadAnswer& answer, const ShapeSettings& settings, json::Output result) {
  ShapedAnswer out = shaped(answer.reading.response, std::move(result));
  out.has_meta = has_meta(answer, settings);
  out.facts = facts_of(answer);
  return out;
}

void write_text_block(json::Writer& writer, std::string_view text) {
  writer.begin_object().member("type", "text").member("text", text).end_object();
}

// The failure of a tool with an output schema, as JSON: programs read such answers and need a code.
json::Output write_bare_failure(const model::Response& response) {
  const model::Failure& failure = *response.failure;
  json::Writer writer;
  writer.begin_object().key("error").begin_object();
  writer.member("code", code_of(response)).member("message", failure.message);
  if (failure.details) writer.member("details", *failure.details);
  if (!failure.remediation.empty()) writer.member("remediation", failure.remediation);
  writer.end_object().end_object();
  return std::move(writer).finish();
}

// Writes the result of a typed tool without an envelope (contract `none`). `structured`: payload or
// failure as JSON. Else the payload's member `text`, if it has one, or the failure's message.
json::Output write_bare(const model::Response& response, bool structured) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  if (response.failure && structured) {
    writer.begin_object().member("type", "text").key("text");
    writer.string_holding(write_bare_failure(response)).end_object();
  } else if (response.failure) {
    std::string text = response.failure->message;
    for (const std::string& advice : response.failure->remediation) text += "\n" + advice;
    write_text_block(writer, text);
  } else if (response.payload && structured) {
    write_text_block(writer, json::to_text(response.payload->view()));
  } else if (response.payload) {
    const auto text = response.payload->view().find("text");
    if (text && text->is_string()) write_text_block(writer, text->string());
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

// The last resort: a failure without details, so short that it is not measured. It holds no data
// and is not redacted: redaction may be what failed.
ShapedAnswer give_up(const AnswerPlan& plan) {
  model::Response failed = contract::make_failure(failures::Internal{
      .message = "The answer could not be written", .extra = {.request_id = plan.request_id}});
  failed.request_id = plan.request_id;
  failed.tool.id = plan.tool.id;
  failed.tool.tier = plan.tool.tier;
  if (plan.contract) {
    ShapeSettings shape = plan.fit.shape;
    shape.redaction = std::nullopt;
    const Result<ReadAnswer> answer =
        read_response(failed, /*rule=*/"not written", shape, /*call=*/{});
    Result<json::Output> result = fail(ErrorCode::internal, "not written");
    if (answer) result = write_result(*answer, shape);
    if (result) return shaped(*answer, shape, std::move(*result));
  }
  return shaped(failed, write_bare(failed, plan.structured));
}

ShapedAnswer write(const ReadAnswer& answer, const AnswerPlan& plan) {
  const model::Response& response = answer.reading.response;
  if (!plan.contract) return shaped(response, write_bare(response, plan.structured));
  Result<json::Output> result = write_result(answer, plan.fit.shape);
  return result ? shaped(answer, plan.fit.shape, std::move(*result)) : give_up(plan);
}

// An answer of Enfold or a typed tool, with contract `none`.
ShapedAnswer write_own_bare(model::Response&& response, const AnswerPlan& plan) {
  const Result<ReadAnswer> clean =
      read_response(std::move(response), /*rule=*/"own", plan.fit.shape, /*call=*/{});
  return clean ? write(*clean, plan) : give_up(plan);
}

void add_warnings(model::Response& response, const AnswerPlan& plan) {
  append(response.warnings, plan.warnings);
  if (plan.fallback_warning) {
    response.warnings.push_back(*plan.fallback_warning);
  }
  append(response.warnings, plan.level.warnings);
}

// `rate_warning` tells a client to slow down before calls are refused.
void add_rate_limit(model::Response& response, const AnswerPlan& plan) {
  if (!response.rate_limit) response.rate_limit = plan.rate_limit;
  if (!response.failure && plan.rate_warning) {
    response.warnings.push_back(*plan.rate_warning);
  }
}

// Removes the request id from the envelope, where it costs tokens, if `_meta` is enough.
void place_request_id(model::Response& response, const AnswerPlan& plan) {
  const bool required = plan.contract == contract::Id::scalpel_v1;
  if (plan.request_id_in_envelope || required || response.failure) return;
  response.request_id.clear();
}

// A failure without a remediation gets that of its kind, if the contract has a member for it and
// the payload gives no advice.
void add_remediation(model::Response& response, const AnswerPlan& plan) {
  const bool has_place =
      plan.contract == contract::Id::response_v2 || plan.contract == contract::Id::response_v1;
  if (!has_place || !response.failure || !response.failure->remediation.empty()) return;
  for (const char* advice : {"hint", "hints", "suggestion", "suggestions", "resolution"}) {
    if (response.payload && response.payload->view().find(advice)) return;
  }
  response.failure->remediation.push_back(contract::remediation_for(*response.failure));
}

// Reading replaced a cursor that holds an offset or id by that offset or id. A tool whose arguments
// have `cursor` and no `offset` needs the cursor, so it is made again.
void keep_cursor(model::Response& response, const AnswerPlan& plan) {
  if (!response.page || response.page->cursor) return;
  const auto arguments = plan.input_schema.find("properties");
  if (!arguments || !arguments->find("cursor") || arguments->find("offset")) return;
  response.page->cursor = contract::cursor_of(*response.page);
}

// Adds what the plan knows to the answer of a foreign server.
void add_to_foreign(model::Response& response, const AnswerPlan& plan) {
  keep_cursor(response, plan);
  add_remediation(response, plan);
  response.tool.id = plan.tool.id;
  if (response.tool.version.empty()) response.tool.version = plan.tool.version;
  add_warnings(response, plan);
  add_rate_limit(response, plan);
  if (!plan.cache_hit) return;
  if (!response.telemetry) response.telemetry.emplace();
  response.telemetry->cache_hit = true;
}

// Adds what the plan knows to the answer of a typed tool; the tool's own warnings come last.
void add_to_own(model::Response& response, const AnswerPlan& plan) {
  response.tool = plan.tool;
  response.level = plan.level.level;
  std::vector<model::Warning> own = std::move(response.warnings);
  response.warnings.clear();
  add_warnings(response, plan);
  append(response.warnings, own);
  add_rate_limit(response, plan);
}

// Adds what a typed tool put into its context, except `meta`, which add_meta adds. A failure does
// not get the message, the page and the outcome `partial`.
void add_context(model::Response& response, ToolContext&& context) {
  append(response.warnings, context.warnings);
  append(response.upgrade_hints, context.upgrade_hints);
  append(response.blocks, context.blocks);
  if (context.rate_limit) response.rate_limit = std::move(context.rate_limit);
  if (context.telemetry) response.telemetry = std::move(context.telemetry);
  if (response.failure) return;
  if (response.message.empty()) response.message = std::move(context.message);
  if (context.partial) response.outcome = model::Outcome::partial;
  if (context.page) response.page = std::move(context.page);
}

// Adds members to `meta` of response-v2, as residue, which is restored after rendering. Silently
// drops members with names of the contract. Drops with a warning members that cannot be redacted,
// and those with which the sum exceeds 1 KiB.
void add_meta(ReadAnswer& answer, std::vector<std::pair<std::string, json::Value>> members,
              const AnswerPlan& plan) {
  constexpr std::size_t most_bytes = 1024;
  constexpr std::array reserved{"version",
                                "request_id",
                                "warnings",
                                "warning_details",
                                "pagination",
                                "rate_limit",
                                "telemetry",
                                "content_fidelity",
                                "content_fidelity_schema_version",
                                "dropped_content_ids",
                                "content_archive_hashes",
                                "ext"};
  std::size_t bytes = 0;
  const auto drop = [&](const std::string& name, std::string_view why) {
    answer.reading.response.warnings.push_back(contract::make_warning(
        "META_DROPPED", fmt::format("The member {} of meta was left out: {}", name, why)));
  };
  for (auto& [name, value] : members) {
    if (std::ranges::find(reserved, name) != reserved.end()) continue;
    json::Value shown = std::move(value);
    if (const auto& policy = plan.fit.shape.redaction) {
      const Result<redact::RedactionResult> clean = redact::redact(shown.view(), *policy);
      if (!clean) {
        drop(name, "it cannot be redacted");
        continue;
      }
      shown = clean->value;
    }
    const std::size_t size = name.size() + shown->raw().size();
    if (bytes + size > most_bytes) {
      drop(name, "the members that a tool adds have at most 1 KiB");
      continue;
    }
    bytes += size;
    answer.reading.origin.residue.push_back(
        {json::below("/meta", name), std::nullopt, std::move(shown)});
  }
  if (answer.reading.origin.residue.empty()) return;
  // Residue is restored only in the contract that an answer was read from.
  answer.reading.origin.contract = contract::name(contract::Id::response_v2);
  answer.reading.origin.altered = true;
}

// What a typed tool returned, as an answer that can be written in a contract.
Result<ReadAnswer> read_own(const AnswerPlan& plan, const ToolRequest& request,
                            model::Response&& response, ToolContext&& context) {
  auto meta = std::move(context.meta);
  add_context(response, std::move(context));
  add_to_own(response, plan);
  // The Result itself is returned: moving a response out of it is slow, and every answer of a typed
  // tool passes here.
  Result<ReadAnswer> answer = read_response(std::move(response), /*rule=*/"the tool's code",
                                            plan.fit.shape, call_of(plan, request.duration));
  if (answer) add_meta(*answer, std::move(meta), plan);
  return answer;
}

// Counting tokens is the most expensive step for a small answer, and most answers are small. No
// byte costs more than two tokens in any profile, so a result this short certainly fits.
bool certainly_fits(const json::Output& result, const budget::Budget& budget) {
  return !budget.lines && 2 * result.size() <= budget.tokens && result.size() <= budget.characters;
}

// A guess before writing: whether it is worth trying certainly_fits. The result holds the payload
// once per channel, so at most twice, at two tokens per byte.
bool may_certainly_fit(const ReadAnswer& answer, const budget::Budget& budget) {
  const model::Response& response = answer.reading.response;
  return response.wrapping != model::Wrapping::content && response.blocks.empty() &&
         4 * answer.source->raw().size() <= budget.tokens;
}

// For a payload that lists content blocks: the answer with embedded texts and links also as blocks
// beside the payload, because clients can do more with blocks. nullopt: the payload is no such
// list, or `answer` has all of its blocks already.
std::optional<ReadAnswer> with_all_blocks(const ReadAnswer& answer) {
  const model::Response& response = answer.reading.response;
  if (response.wrapping != model::Wrapping::content) return std::nullopt;
  const auto content = stored_value(answer)->find("content");
  if (!content) return std::nullopt;
  std::vector<json::Value> blocks;
  for (const json::View block : content->items()) {
    const auto type = block.find("type");
    if (type && !type->equals("text")) blocks.push_back(mark_upstream_meta(json::Value(block)));
  }
  if (blocks.size() == response.blocks.size()) return std::nullopt;
  ReadAnswer richer = answer;
  richer.reading.response.blocks = std::move(blocks);
  return richer;
}

// An answer that `finish` will replace by a failure. It is archived first, even if it is small.
PreparedAnswer prepare_refusal(ReadAnswer answer, SchemaMismatch mismatch) {
  PreparedAnswer prepared{.answer = std::move(answer), .fits = false};
  prepared.original = Original(prepared.answer);
  prepared.media_type = media_type({.contract = prepared.answer.from, .is_made_here = false});
  prepared.mismatch = std::move(mismatch);
  return prepared;
}

// The part of `begin` after reading, for foreign and own answers.
BeginResult begin_read(ReadAnswer&& answer, const AnswerPlan& plan) {
  place_request_id(answer.reading.response, plan);
  const FitSettings& fit = plan.fit;
  const budget::Budget budget = budget_for(answer.reading.response, fit);
  if (may_certainly_fit(answer, budget) && !withholds_source(answer, fit.shape)) {
    Result<json::Output> whole = write_result(answer, fit.shape);
    if (whole && certainly_fits(*whole, budget)) {
      return shaped(answer, fit.shape, std::move(*whole));
    }
  }
  Result<PreparedAnswer> prepared = prepare_with_blocks(std::move(answer), fit);
  if (!prepared) return give_up(plan);
  if (!prepared->fits) return std::move(*prepared);
  ShapedAnswer out = write(prepared->answer, plan);
  out.tokens = prepared->size.tokens;
  return out;
}

// The failure in place of an answer that does not match its schema.
ShapedAnswer refuse(const PreparedAnswer& prepared, const Result<Receipt>& stored,
                    const AnswerPlan& plan) {
  model::Response failed =
      failure_of(*prepared.mismatch, plan.tool.id, stored ? stored->handle : "", plan.request_id);
  if (!stored) {
    failed.warnings.push_back(contract::make_warning(
        "ARCHIVE_WRITE_FAILED", "What the tool answered could not be stored and is lost"));
  }
  // If the duration is shown, `begin` added it to the answer. answer_failure keeps a duration that
  // the failure has already, so the zero below is never shown.
  const auto& telemetry = prepared.answer.reading.response.telemetry;
  if (telemetry && telemetry->duration_ms) {
    failed.telemetry = model::Telemetry{.duration_ms = telemetry->duration_ms};
  }
  return answer_failure(std::move(failed), plan, Duration(0));
}

// A content block that links to the archived original. The block contains the tool's name, so its
// size varies and is counted.
struct Link {
  json::Value block;
  budget::Size size;
};

// nullopt: the original is not stored, or the budget has no room for a link.
std::optional<Link> link_to(const Result<Receipt>& stored, const AnswerPlan& plan) {
  const budget::Budget& budget = plan.fit.budget;
  if (plan.link == nullptr || !stored || budget.tokens < kLeastWithLink) {
    return std::nullopt;
  }
  Link link{.block = plan.link(stored->handle, plan.tool.id), .size = {}};
  link.size = size_of_block(link.block.view(), plan.fit);
  const bool small = link.size.tokens * kLinkShare <= budget.tokens &&
                     link.size.characters * kLinkShareOfCharacters <= budget.characters &&
                     (!budget.lines || link.size.lines * kLinkShare <= *budget.lines);
  return small ? std::optional(std::move(link)) : std::nullopt;
}

void leave_room(budget::Budget& budget, const budget::Size& size) {
  budget.tokens -= size.tokens;
  budget.characters -= size.characters;
  if (budget.lines) *budget.lines -= size.lines;
}

// The smallest answer, over its budget: the tool has run, and a budget that is too small for any
// answer must not make a failure of what the tool did. A page still shows its row (keeps_page).
Result<FittedAnswer> finish_over_budget(const PreparedAnswer& prepared,
                                        const Result<Receipt>& stored, FitSettings fit) {
  constexpr int most_attempts = 40;
  const auto raise = [](std::size_t& limit) { limit += std::min(limit / 8 + 1, SIZE_MAX - limit); };
  Result<FittedAnswer> shown = fail(ErrorCode::budget_too_small, "no attempt was made");
  for (int attempt = 0; attempt < most_attempts && !shown; ++attempt) {
    raise(fit.budget.tokens);
    raise(fit.budget.characters);
    if (fit.budget.lines) raise(*fit.budget.lines);
    if (fit.failure_characters) raise(*fit.failure_characters);
    fit.target = std::max(fit.target, fit.budget.tokens);
    shown = finish(prepared, stored, fit);
  }
  return shown;
}

// Cuts the answer, and adds the link to its original. `explain`: fills FitResult::parts.
Result<FittedAnswer> finish_fitted(const PreparedAnswer& prepared, const Result<Receipt>& stored,
                                   const AnswerPlan& plan, const contract::CursorSigner& cursors,
                                   bool explain = false) {
  FitSettings fit = plan.fit;
  fit.policy.terms = budget::terms_of(plan.arguments.view());
  fit.policy.explain = explain;
  fit.cursors = cursors;
  fit.keeps_page = prepared.keeps_page;
  std::optional<Link> link = link_to(stored, plan);
  if (link) leave_room(fit.budget, link->size);
  Result<FittedAnswer> finished = finish(prepared, stored, fit);
  if (!finished && finished.error().code == ErrorCode::budget_too_small) {
    finished = finish_over_budget(prepared, stored, fit);
  }
  if (finished && link) {
    finished->answer.reading.response.blocks.push_back(std::move(link->block));
    finished->size = sum(finished->size, link->size);
  }
  return finished;
}

// The result of a foreign server, with everything that the plan adds before the schema is checked.
Result<ReadAnswer> read_foreign(const json::Value& result, const AnswerPlan& plan,
                                Duration duration) {
  Call call = call_of(plan, duration);
  // So that read_answer adds no id: an id in the answer is the upstream's, and moved away.
  call.request_id.clear();
  ENFOLD_TRY(ReadAnswer answer, read_answer(result, contract::Id::mcp, plan.fit.shape, call));
  separate_upstream_words(answer, *plan.contract);
  answer.reading.response.request_id = plan.request_id;
  add_to_foreign(answer.reading.response, plan);
  return answer;
}

}  // namespace

CallOutcome outcome_of(const model::Response& response) {
  switch (response.outcome) {
    case model::Outcome::ok: return CallOutcome::ok;
    case model::Outcome::partial: return CallOutcome::partial;
    case model::Outcome::failed: break;
  }
  return CallOutcome::failed;
}

// Operators read the duration in the log. The answer contains it only if the client asked for
// detail or the contract requires it.
Call call_of(const AnswerPlan& plan, Duration duration) {
  Call call{
      .tool = plan.called_as, .request_id = plan.request_id, .tool_is_clean = plan.tool_is_clean};
  const bool shown =
      plan.level.level > model::Level::minimal || plan.contract == contract::Id::scalpel_v1;
  if (shown) call.duration_ms = model::Number::of((duration.count() + 500) / 1000);
  return call;
}

Result<PreparedAnswer> prepare_with_blocks(ReadAnswer answer, const FitSettings& settings) {
  if (std::optional<ReadAnswer> richer = with_all_blocks(answer)) {
    Result<PreparedAnswer> prepared = prepare(std::move(*richer), settings);
    if (prepared && prepared->fits) return prepared;
  }
  return prepare(std::move(answer), settings);
}

BeginResult begin(const json::Value& result, const AnswerPlan& plan, Duration duration) {
  if (!plan.contract) {
    const auto& redaction = plan.fit.shape.redaction;
    const Result<json::Value> passed = pass_through(result, redaction ? &*redaction : nullptr);
    if (!passed) return give_up(plan);
    json::Writer writer;
    writer.verbatim(passed->view());
    const bool failed = model::is_failed_result(result.view());
    return ShapedAnswer{.result = std::move(writer).finish(),
                        .outcome = failed ? CallOutcome::failed : CallOutcome::ok};
  }
  Result<ReadAnswer> answer = read_foreign(result, plan, duration);
  if (!answer) {
    return answer_failure(
        contract::make_failure(failures::Internal{.message = "The tool's answer could not be read",
                                                  .extra = {.request_id = plan.request_id}}),
        plan, duration);
  }
  if (plan.output_check != OutputCheck::off && plan.declared.schema != nullptr) {
    std::optional<SchemaMismatch> mismatch = check_output(*answer, plan.declared);
    if (mismatch && plan.output_check == OutputCheck::strict) {
      return prepare_refusal(std::move(*answer), std::move(*mismatch));
    }
    if (mismatch) answer->reading.response.warnings.push_back(warning_of(*mismatch));
  }
  return begin_read(std::move(*answer), plan);
}

Result<ExplainedAnswer> explain(const json::Value& result, const AnswerPlan& plan,
                                Duration duration, const Receipt& receipt,
                                const contract::CursorSigner& cursors) {
  if (!plan.contract) return fail(ErrorCode::unsupported, "the answer has no contract");
  ENFOLD_TRY(ReadAnswer read, read_foreign(result, plan, duration));
  if (plan.output_check != OutputCheck::off && plan.declared.schema != nullptr) {
    const std::optional<SchemaMismatch> mismatch = check_output(read, plan.declared);
    if (mismatch && plan.output_check == OutputCheck::strict) {
      return fail(ErrorCode::invalid_input, "the answer breaks its schema and was refused");
    }
    if (mismatch) read.reading.response.warnings.push_back(warning_of(*mismatch));
  }
  place_request_id(read.reading.response, plan);
  ExplainedAnswer out;
  ENFOLD_TRY(out.whole, size_of_answer(read, plan.fit));
  out.before = read;
  ENFOLD_TRY(const PreparedAnswer prepared, prepare_with_blocks(std::move(read), plan.fit));
  out.fits = prepared.fits;
  const bool lacks_archive = !prepared.fits && receipt.handle.empty();
  const Result<Receipt> stored = lacks_archive ? fail(ErrorCode::unsupported, "there is no archive")
                                               : Result<Receipt>(receipt);
  ENFOLD_TRY(out.finished, finish_fitted(prepared, stored, plan, cursors, /*explain=*/true));
  return out;
}

level::TextFilter redaction_of(const AnswerPlan& plan) {
  const auto& policy = plan.fit.shape.redaction;
  if (!policy) return {};
  return [&policy = *policy](std::string_view text) { return redact::redact_text(text, policy); };
}

BeginResult process_tool_response(const AnswerPlan& plan, const ToolRequest& request,
                                  model::Response response, ToolContext context) {
  if (!plan.contract) {
    add_context(response, std::move(context));
    add_to_own(response, plan);
    return write_own_bare(std::move(response), plan);
  }
  Result<ReadAnswer> answer = read_own(plan, request, std::move(response), std::move(context));
  return answer ? begin_read(std::move(*answer), plan) : give_up(plan);
}

Result<budget::Size> size_of_response(const AnswerPlan& plan, const ToolRequest& request,
                                      model::Response response, ToolContext context) {
  ENFOLD_TRY(ReadAnswer answer, read_own(plan, request, std::move(response), std::move(context)));
  place_request_id(answer.reading.response, plan);
  return size_of_answer(answer, plan.fit);
}

ShapedAnswer finish(const PreparedAnswer& prepared, const Result<Receipt>& stored,
                    const AnswerPlan& plan, const contract::CursorSigner& cursors) {
  if (prepared.mismatch) return refuse(prepared, stored, plan);
  const std::size_t bytes = stored ? prepared.to_store().size() : 0;
  const Result<FittedAnswer> finished = finish_fitted(prepared, stored, plan, cursors);
  if (!finished) return give_up(plan);
  ShapedAnswer out = write(finished->answer, plan);
  out.tokens = finished->size.tokens;
  out.archived_bytes = bytes;
  if (stored) out.facts.receipt = *stored;
  return out;
}

ShapedAnswer answer_failure(model::Response failed, const AnswerPlan& plan, Duration duration) {
  add_to_own(failed, plan);
  if (!plan.contract) return write_own_bare(std::move(failed), plan);
  const Result<ReadAnswer> answer = read_response(std::move(failed), /*rule=*/"Enfold refused",
                                                  plan.fit.shape, call_of(plan, duration));
  return answer ? write(*answer, plan) : give_up(plan);
}

ShapedAnswer write_fitted(ReadAnswer answer, const AnswerPlan& plan) {
  place_request_id(answer.reading.response, plan);
  return write(answer, plan);
}

}  // namespace enfold::answer

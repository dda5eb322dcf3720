// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_run.h"

#include "enfold/answer/answer.h"

namespace enfold::testing {
namespace {

answer::AnswerPlan plan_of(const PipelineCase& drawn) {
  answer::AnswerPlan plan;
  plan.contract = drawn.settings.shape.contract;
  plan.fit = drawn.settings;
  plan.tool.id = drawn.call.tool;
  plan.called_as = drawn.call.tool;
  plan.request_id = drawn.call.request_id;
  return plan;
}

std::optional<answer::BeginResult> begin(const PipelineCase& drawn,
                                         const answer::AnswerPlan& plan) {
  if (drawn.made) return answer::begin(model::Response(*drawn.made), {}, plan, {});
  if (drawn.is_text || drawn.from != contract::Id::mcp) return std::nullopt;
  const json::Value value = json::parse_own(drawn.bytes);
  if (!value->find("jsonrpc")) return answer::begin(value, plan, {});
  const auto result = value->find("result");
  if (!result) return std::nullopt;
  return answer::begin(json::Value(*result), plan, {});
}

// The way of the gateway and of servers, with the archive between its two halves.
std::string sent(const PipelineCase& drawn, store::Archive& archive, const Claim& claim) {
  const answer::AnswerPlan plan = plan_of(drawn);
  std::optional<answer::BeginResult> begun = begin(drawn, plan);
  if (!begun) return {};
  if (auto* prepared = std::get_if<answer::PreparedAnswer>(&*begun)) {
    const auto receipt = stored(archive, "ann", *prepared);
    claim(receipt.has_value(), "every answer can be stored");
    return answer::finish(std::move(*prepared), receipt, plan).result.str();
  }
  return std::get_if<answer::ShapedAnswer>(&*begun)->result.str();
}

}  // namespace

using answer::PreparedAnswer;
using answer::Receipt;

Result<Receipt> stored(store::Archive& archive, const std::string& principal,
                       const PreparedAnswer& prepared) {
  const auto receipt = archive.put(principal, prepared.to_store(),
                                   {.tool = "list_items", .media_type = prepared.media_type}, kNow);
  if (!receipt) return tl::unexpected(receipt.error());
  return Receipt{receipt->handle, receipt->hash};
}

std::optional<Run> run(std::string_view bytes, const Claim& claim, store::Archive& archive) {
  Choices choices(bytes);
  Run run{.drawn = draw_pipeline_case(choices)};
  auto prepared = run.drawn.prepare();
  claim(prepared.has_value(), "every answer is understood");
  run.prepared = *prepared;
  Result<Receipt> receipt = Receipt{};
  if (!prepared->fits) {
    receipt = stored(archive, "ann", *prepared);
    claim(receipt.has_value(), "every answer can be stored");
    run.receipt = *receipt;
  }
  auto finished = answer::finish(std::move(*prepared), receipt, run.drawn.settings);
  if (!finished) {
    const bool too_small = finished.error().code == ErrorCode::budget_too_small;
    // An estimate may be half as much again as the count; some envelopes then need more.
    const bool may = too_small && !run.drawn.exact && run.drawn.settings.budget.tokens < 256;
    claim(may, "a reference always fits: " + finished.error().message);
    return std::nullopt;
  }
  run.finished = std::move(*finished);
  const auto envelope = write_envelope(run.finished.answer, run.drawn.settings.shape);
  claim(envelope.has_value(), "every answer can be written");
  run.envelope = envelope->str();
  run.sent = sent(run.drawn, archive, claim);
  return run;
}

std::vector<std::string> gaps_of(const model::Reduction& reduction) {
  std::vector<std::string> places;
  for (const auto* list : {&reduction.dropped_ids, &reduction.briefed, &reduction.clipped}) {
    places.insert(places.end(), list->begin(), list->end());
  }
  return places;
}

std::vector<std::string> places_of(const model::Reduction& reduction) {
  std::vector<std::string> places = gaps_of(reduction);
  places.insert(places.end(), reduction.columnar.begin(), reduction.columnar.end());
  for (const auto* by_place : {&reduction.facts, &reduction.index}) {
    if (!*by_place) continue;
    for (const json::Member& member : (*by_place)->view().members()) {
      places.push_back(member.key.string());
    }
  }
  return places;
}

Result<retrieve::QueryResult> fetched(const Run& run, retrieve::Selection selection) {
  return retrieve::retrieve_bytes(run.prepared.to_store(), run.prepared.media_type,
                                  {.selection = std::move(selection)});
}

}  // namespace enfold::testing

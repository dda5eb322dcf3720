// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_run.h"

#include "enfold/server/testing/manual_host.h"
#include "enfold/store/stores.h"
#include "enfold/tools/call/tool_run.h"
#include "tests/store/broken_archive.h"

namespace enfold::testing {
namespace {

tools::CallPlan plan_of(const PipelineCase& drawn) {
  tools::CallPlan plan;
  plan.principal = "ann";
  plan.contract = drawn.settings.shape.contract;
  plan.fit = drawn.settings;
  plan.tool.id = drawn.call.tool;
  plan.called_as = drawn.call.tool;
  plan.request_id = drawn.call.request_id;
  return plan;
}

std::optional<answer::BeginResult> begin(const PipelineCase& drawn,
                                         const answer::AnswerPlan& plan) {
  if (drawn.made) return answer::process_tool_response(plan, {}, *drawn.made, {});
  if (drawn.is_text || drawn.from != contract::Id::mcp) return std::nullopt;
  const json::Value value = json::parse_own(drawn.bytes);
  if (!value->find("jsonrpc")) return answer::begin(value, plan, {});
  const auto result = value->find("result");
  if (!result) return std::nullopt;
  return answer::begin(json::Value(*result), plan, {});
}

tools::ToolReply store_and_finish(answer::PreparedAnswer prepared, const tools::CallPlan& plan,
                                  store::Archive& archive) {
  static const tools::ServiceSettings settings;
  static server::ManualHost host;
  host.time += kNow - std::chrono::floor<std::chrono::seconds>(host.calendar());
  const tools::AnswerServices services{
      .settings = &settings,
      .name = "tests",
      .version = "1",
      .host = &host,
      .archive = std::shared_ptr<store::Archive>(std::shared_ptr<void>(), &archive),
      .counters = nullptr,
      .key = *contract::CursorKey::from_bytes("0123456789abcdef0123456789abcdef"),
      .contract_with_v2_flag = plan.contract,
      .contract_without_v2_flag = plan.contract};
  return tools::store_and_finish(std::move(prepared), plan, services);
}

// The way of the gateway and of servers, from the tool's result to what the client gets.
void send(Run& run, store::Archive& archive) {
  const tools::CallPlan plan = plan_of(run.drawn);
  std::optional<answer::BeginResult> begun = begin(run.drawn, plan);
  if (!begun) return;
  const auto text = [](const tools::ToolReply& reply) {
    return std::get<json::Output>(std::get<mcp::CompleteResult>(reply.reply).object).str();
  };
  if (auto* shaped = std::get_if<answer::ShapedAnswer>(&*begun)) {
    run.sent = shaped->result.str();
    return;
  }
  const answer::PreparedAnswer& prepared = std::get<answer::PreparedAnswer>(*begun);
  run.sent = text(store_and_finish(prepared, plan, archive));
  store::testing::BrokenArchive broken(archive, {ErrorCode::unavailable, "the disk is full", ""});
  tools::CallPlan cutting = plan;
  cutting.fit.if_unstored = answer::Unstored::cut;  // as services do it
  run.sent_unstored = text(store_and_finish(prepared, cutting, broken));
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
  send(run, archive);
  return run;
}

std::optional<model::Response> response_of(const std::string& sent, const PipelineCase& drawn) {
  const json::Value result = json::parse_own(sent);
  const bool in_text = drawn.settings.shape.channels != answer::Channels::structured;
  std::vector<json::Value> blocks;
  for (const json::View block : result->find("content")->items()) blocks.emplace_back(block);
  json::Value envelope;
  if (in_text) {
    envelope = json::parse_own(blocks.front()->find("text")->string());
    blocks.erase(blocks.begin());
  } else {
    envelope = json::Value(*result->find("structuredContent"));
  }
  auto read = contract::read(drawn.settings.shape.contract, envelope.view());
  if (!read) return std::nullopt;
  read->response.blocks = std::move(blocks);
  return std::move(read->response);
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

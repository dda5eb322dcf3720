// SPDX-License-Identifier: Apache-2.0
// The two steps around storing: nothing is cut without a way back, and nothing is over the budget.
#include "enfold/pipeline/prepare.h"

#include "enfold/base/hash.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::pipeline {
namespace {

using ::testing::HasSubstr;

json::Document large_answer(int items) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array().end_array().key("structuredContent");
  writer.begin_object().member("total", std::int64_t{items}).key("items").begin_array();
  for (int i = 0; i < items; ++i) {
    writer.begin_object().member("id", std::int64_t{1000 + i});
    writer.member("title", "Item number " + std::to_string(i) + " of the list");
    writer.member("body", std::string(200, static_cast<char>('a' + i % 26))).end_object();
  }
  writer.end_array().end_object().end_object();
  return *json::parse(std::move(writer).finish().str());
}

Result<Receipt> receipt_for(const Prepared& prepared) {
  return Receipt{"000000000042", sha256_name(prepared.to_store())};
}

FitSettings with_budget(std::size_t tokens) {
  FitSettings settings;
  settings.budget.tokens = tokens;
  return settings;
}

TEST(Prepare, stores_nothing_when_the_answer_fits) {
  const auto prepared = prepare(large_answer(2), std::nullopt, {}, {});
  ASSERT_TRUE(prepared);
  EXPECT_TRUE(prepared->fits);
  EXPECT_TRUE(prepared->to_store().empty());
  const auto finished = finish(*prepared, fail(ErrorCode::unavailable, "never asked"), {});
  ASSERT_TRUE(finished);
  EXPECT_FALSE(finished->answer.reading.response.reduction);
}

TEST(Prepare, refuses_a_budget_that_is_too_small_to_say_anything) {
  const auto prepared = prepare(large_answer(2), std::nullopt, with_budget(127), {});
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::budget_too_small);
  EXPECT_THAT(prepared.error().message, HasSubstr("at least 128 tokens, found 127"));
}

TEST(Prepare, hands_out_the_result_value_exactly_as_it_came) {
  const json::Document answer = large_answer(500);
  const auto prepared = prepare(answer, std::nullopt, with_budget(1'000), {});
  ASSERT_TRUE(prepared);
  EXPECT_FALSE(prepared->fits);
  EXPECT_EQ(prepared->to_store(), answer.bytes());
}

TEST(Prepare, reduces_within_the_budget_and_says_what_it_did) {
  const FitSettings settings = with_budget(1'000);
  auto prepared = prepare(large_answer(500), std::nullopt, settings, {});
  const auto stored = receipt_for(*prepared);
  const auto finished = finish(std::move(*prepared), stored, settings);
  ASSERT_TRUE(finished) << finished.error().message;
  const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
  EXPECT_LE(token::o200k_base().count(envelope), 1'000U);
  EXPECT_GE(token::o200k_base().count(envelope), 500U);
  const json::Value document = json::parse_own(envelope);
  EXPECT_TRUE(document->find("success")->boolean());
  const json::View meta = *document->find("meta");
  EXPECT_NE(meta.find("content_fidelity")->string(), "full");
  EXPECT_TRUE(meta.find("content_archive_hashes")->find("000000000042")->equals(stored->hash));
  EXPECT_GE(meta.find("dropped_content_ids")->size(), 1U);
  EXPECT_THAT(envelope, HasSubstr("CONTENT_TRUNCATED"));
}

TEST(Prepare, sends_the_answer_whole_when_it_cannot_be_stored) {
  const FitSettings settings = with_budget(1'000);
  auto prepared = prepare(large_answer(500), std::nullopt, settings, {});
  const auto finished =
      finish(std::move(*prepared), fail(ErrorCode::unavailable, "disk full"), settings);
  ASSERT_TRUE(finished);
  const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
  EXPECT_THAT(envelope, HasSubstr("ARCHIVE_WRITE_FAILED"));
  EXPECT_THAT(envelope, HasSubstr("Item number 499"));
}

TEST(Prepare, fails_with_a_type_when_the_operator_wants_that) {
  FitSettings settings = with_budget(1'000);
  settings.unstored = Unstored::fail;
  auto prepared =
      prepare(large_answer(500), std::nullopt, settings, {.tool = "t", .request_id = "req_1"});
  const auto finished =
      finish(std::move(*prepared), fail(ErrorCode::unavailable, "disk full"), settings);
  ASSERT_TRUE(finished);
  const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
  EXPECT_THAT(envelope, HasSubstr(R"("error_code":"UNAVAILABLE")"));
  EXPECT_THAT(envelope, HasSubstr("req_1"));
}

// Any answer, any budget: the envelope is within it, valid, and its outcome is the same.
TEST(Prepare, never_over_budget) {
  testing::check_property("pipeline never_over_budget", testing::property_cases(500, 50'000), [] {
    const testing::RawResult raw = testing::draw_result();
    const auto document = json::parse(json::to_text(raw.result.view()));
    FitSettings settings = with_budget(static_cast<std::size_t>(128 + testing::draw_below(400)));
    auto prepared = prepare(*document, contract::Id::mcp, settings, {.tool = "tool"});
    RC_ASSERT(prepared.has_value());
    const auto stored = receipt_for(*prepared);
    const auto finished = finish(std::move(*prepared), stored, settings);
    RC_ASSERT(finished.has_value());
    const auto& response = finished->answer.reading.response;
    RC_ASSERT(succeeded(response) == !raw.failed);
    const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
    if (response.blocks.empty())
      RC_ASSERT(token::o200k_base().count(envelope) <= settings.budget.tokens);
    RC_ASSERT(json::parse(envelope).has_value());
  });
}

}  // namespace
}  // namespace enfold::pipeline

// SPDX-License-Identifier: Apache-2.0
// What is stored of an answer leads back to all of it.
#include "enfold/answer/stored/original.h"

#include "enfold/retrieve/retrieve.h"
#include "tests/answer/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

PreparedAnswer is_own(model::Response response, const FitSettings& settings) {
  auto understood = read_response(std::move(response), "made", settings.shape, {});
  return *prepare(std::move(*understood), settings);
}

TEST(Original, stores_the_payload_alone_when_a_tool_of_our_own_says_nothing_else) {
  const json::Document rows = large_answer(60);
  model::Response response{.payload = json::Value(*rows.root().find("structuredContent"))};
  response.tool.id = "list_items";
  const PreparedAnswer prepared = is_own(response, with_budget(400));
  EXPECT_EQ(prepared.to_store(), response.payload->view().raw());
  EXPECT_EQ(prepared.media_type, "application/json; contract=json; own");
}

TEST(Original, stores_all_that_a_tool_of_our_own_says) {
  const json::Document rows = large_answer(60);
  // Even a payload that looks like an envelope stays what it is.
  const json::Value enveloped = json::parse_own(
      R"({"success":true,"data":)" + json::to_text(*rows.root().find("structuredContent")) +
      R"(,"error":null,"meta":{"version":"response-v2"}})");
  const std::string log = "the whole log of the build " + std::string(4'000, 'l');
  model::Response response{.payload = enveloped};
  response.blocks = {text_block("a picture follows"), text_block(log)};
  response.message = "60 items";
  response.warnings = {{.code = "STALE_CACHE", .message = "an hour old"}};
  const FitSettings settings = with_budget(300);
  PreparedAnswer prepared = is_own(response, settings);
  ASSERT_FALSE(prepared.fits);
  const std::string bytes(prepared.to_store());
  const std::string type = prepared.media_type;
  const auto stored = receipt_for(prepared);
  const auto finished = finish(std::move(prepared), stored, settings);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(retrieve::retrieve_bytes(bytes, type, {})->value == enveloped);
  const auto& dropped = finished->answer.reading.response.reduction->dropped_ids;
  ASSERT_THAT(dropped, Contains("/content"));
  const auto found =
      retrieve::retrieve_bytes(bytes, type, {.selection = retrieve::select::At{"/content/2"}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(json::equal(found->value.view(), text_block(log).view()));
  EXPECT_THAT(bytes, HasSubstr("60 items"));
  EXPECT_THAT(bytes, HasSubstr("an hour old"));
}

TEST(Original, stores_the_words_of_a_failure_that_has_no_payload) {
  const std::string message = "Disk full: " + std::string(9'000, 'm');
  model::Response response{.outcome = model::Outcome::failed};
  response.failure = model::Failure{.message = message};
  response.failure->remediation = {"empty the disk"};
  const PreparedAnswer prepared = is_own(response, with_budget(300));
  const auto opened = retrieve::retrieve_bytes(prepared.to_store(), prepared.media_type, {});
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened->value->equals(message));
  EXPECT_THAT(std::string(prepared.to_store()), HasSubstr("empty the disk"));
}

// `enfold fit X | enfold fit`
TEST(Original, an_answer_that_was_cut_before_keeps_its_earlier_handle) {
  FitSettings settings = with_budget(2'000);
  auto prepared = prepare(large_answer(500), std::nullopt, settings, {});
  const std::string first_hash = sha256_name(prepared->to_store());
  auto finished = finish(std::move(*prepared), Receipt{"000000000001", first_hash}, settings);
  const std::string first = write_envelope(finished->answer, settings.shape)->str();
  for (const std::size_t tokens : {128U, 200U, 400U, 1'000U}) {
    settings.budget.tokens = tokens;
    auto again = prepare(*json::parse(first), std::nullopt, settings, {});
    ASSERT_FALSE(again->fits);
    const std::string stored(again->to_store());
    const std::string type = again->media_type;
    finished = finish(std::move(*again), Receipt{"000000000002", sha256_name(stored)}, settings);
    ASSERT_TRUE(finished) << tokens;
    const model::Reduction& reduction = *finished->answer.reading.response.reduction;
    EXPECT_EQ(reduction.archive.front().handle, "000000000002");
    if (tokens >= 200) {
      ASSERT_EQ(reduction.archive.size(), 2U) << tokens;
      EXPECT_EQ(reduction.archive.back().handle, "000000000001");
    }
    if (reduction.facts && reduction.facts->view().find("/items")) {
      EXPECT_EQ(reduction.facts->view().find("/items")->find("count")->integer(), 500) << tokens;
    }
    std::vector<std::string> places = reduction.dropped_ids;
    places.insert(places.end(), reduction.clipped.begin(), reduction.clipped.end());
    ASSERT_THAT(places, Contains("/result"));
    const auto whole =
        retrieve::retrieve_bytes(stored, type, {.selection = retrieve::select::At{"/result"}});
    ASSERT_TRUE(whole);
    EXPECT_THAT(std::string(whole->value->raw()), HasSubstr(first_hash));
  }
}

TEST(Original, says_that_blocks_are_missing_even_in_the_fewest_words) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  writer.value(text_block(std::string(900, 'a'))).value(text_block(std::string(900, 'b')));
  writer.end_array().key("structuredContent").begin_object().member("result", "abc");
  const json::Value result = std::move(writer.end_object().end_object()).finish_value();
  const FitSettings settings = with_budget(128);
  auto prepared =
      prepare(*json::parse(json::to_text(result.view())), contract::Id::mcp, settings, {});
  ASSERT_FALSE(prepared->fits);
  const auto stored = receipt_for(*prepared);
  const auto finished = finish(std::move(*prepared), stored, settings);
  ASSERT_TRUE(finished);
  const model::Response& response = finished->answer.reading.response;
  EXPECT_TRUE(response.blocks.empty());
  EXPECT_THAT(response.reduction->dropped_ids, Contains("/result/result"));
  EXPECT_LE(finished->size.tokens, 128U);
}

}  // namespace
}  // namespace enfold::answer

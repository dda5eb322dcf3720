// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/measure.h"
#include "tests/answer/answers.h"

#include <ctime>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

FittedAnswer cut(const std::string& result, std::size_t tokens) {
  const FitSettings settings = with_budget(tokens);
  auto prepared = prepare(*json::parse(result), contract::Id::mcp, settings, {});
  EXPECT_TRUE(prepared && !prepared->fits);
  const auto stored = receipt_for(*prepared);
  auto finished = finish(std::move(*prepared), stored, settings);
  EXPECT_TRUE(finished) << (finished ? "" : finished.error().message);
  return finished ? *std::move(finished) : FittedAnswer{};
}

std::string list(std::size_t count, const std::string& item) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + item;
  return text + "]";
}

const std::string kImage = R"({"type":"image","data":"aGVsbG8=","mimeType":"image/png"})";

std::int64_t dropped_count(const FittedAnswer& finished) {
  for (const model::Warning& warning : finished.answer.reading.response.warnings) {
    const auto count =
        warning.context ? warning.context->view().find("dropped_count") : std::nullopt;
    if (count) return *count->integer();
  }
  return -1;
}

TEST(KeepBlocks, every_dropped_block_is_counted_however_they_are_named) {
  for (const std::size_t blocks : {1U, 4U, 5U, 30U}) {
    const std::string records = list(40, R"({"id":1,"text":"one of the records that do not fit"})");
    const FittedAnswer finished =
        cut(fmt::format(R"({{"content":{},"structuredContent":{{"items":{}}}}})",
                        list(blocks, kImage), records),
            300);
    const model::Response& response = finished.answer.reading.response;
    ASSERT_TRUE(response.payload);
    const auto items = response.payload->view().find("items");
    // The mark of the items that are missing is one item too many.
    const std::size_t shown = (items ? items->size() - 1 : 0) + response.blocks.size();
    EXPECT_EQ(static_cast<std::size_t>(dropped_count(finished)) + shown, blocks + 40) << blocks;
  }
}

TEST(KeepBlocks, a_block_of_another_document_leaves_the_places_of_the_next_ones) {
  const ArchivedAnswer archived{.result = json::parse_own(R"({"content":)" + list(2, kImage) + "}"),
                                .payload = json::parse_own("null")};
  json::View last;
  for (const json::View item : archived.result->find("content")->items()) last = item;
  const KeptBlocks kept = keep_blocks({json::parse_own(kImage), json::Value(last)}, json::View(),
                                      archived, with_budget(300));
  EXPECT_THAT(kept.dropped, ::testing::ElementsAre(place_in_result(archived, ""),
                                                   place_in_result(archived, "/content/1")));
}

TEST(KeepBlocks, time_grows_with_the_blocks_and_not_faster) {
  const auto seconds = [](std::size_t blocks) {
    const std::string result = R"({"content":)" + list(blocks, kImage) + "}";
    const std::clock_t begin = std::clock();
    cut(result, 1'000);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  seconds(1'000);
  // Sixteen times the blocks; quadratic would be 256 times.
  EXPECT_LT(seconds(16'000), 80 * std::max(seconds(1'000), 0.001));
}

TEST(KeepBlocks, a_payload_full_of_results_leaves_room_for_the_reference) {
  for (const int depth : {3, 60, 450}) {
    std::string nested;
    for (int i = 0; i < depth; ++i) nested += R"({"result":)";
    nested += "1" + std::string(static_cast<std::size_t>(depth) - 1, '}') + R"(,"content":[1,2]})";
    const std::string text = fmt::format(R"({{"type":"text","text":"{:w>600}"}})", 1);
    const std::string result =
        fmt::format(R"({{"content":{},"structuredContent":{}}})", list(200, text), nested);
    EXPECT_LE(cut(result, 128).size.tokens, 128U) << depth;
  }
}

}  // namespace
}  // namespace enfold::answer

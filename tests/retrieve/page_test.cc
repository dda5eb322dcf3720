// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/page.h"

#include "enfold/json/write.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace enfold::retrieve {
namespace {

using enfold::testing::check_property;
using enfold::testing::draw_below;
using enfold::testing::property_cases;
using ::testing::HasSubstr;

constexpr const char* kList =
    R"({"repository":"acme","total":4,"items":[{"id":101},{"id":102},{"id":103},{"id":104}]})";

Query query_of(const char* arguments) {
  const json::Value parsed = json::parse_own(arguments);
  return parse_arguments(parsed.view()).value();
}

QueryResult found_in(const char* archived, const char* arguments) {
  const json::Value parsed = json::parse_own(archived);
  return retrieve(parsed.view(), query_of(arguments)).value();
}

const contract::CursorKey kKey =
    contract::CursorKey::from_bytes("0123456789abcdef0123456789abcdef").value();

TEST(RetrievePage, slices_records_members_and_lines) {
  const auto records = page(found_in(kList, R"({"pointer":"/items/*/id"})"), 1, 2).value();
  EXPECT_EQ(json::to_text(records.value.view()), "[102,103]");
  EXPECT_EQ(records.matches[0].pointer, "/items/1/id");
  EXPECT_EQ(records.total, 4U);
  EXPECT_EQ(records.next, 3U);
  const auto last = page(found_in(kList, R"({"pointer":"/items"})"), 3, 2).value();
  EXPECT_EQ(last.value->item(0)->find("id")->number(), "104");
  EXPECT_EQ(last.size, 1U);
  EXPECT_EQ(last.next, std::nullopt);
  const auto members = page(found_in(kList, "{}"), 0, 2).value();
  EXPECT_EQ(json::to_text(members.value.view()), R"({"repository":"acme","total":4})");
  const auto lines = page(retrieve_text("a\nb\nc", query_of("{}")).value(), 1, 1).value();
  EXPECT_EQ(lines.value->string(), "b\n");
  const auto single = page(found_in(kList, R"({"pointer":"/total"})"), 0, 1).value();
  EXPECT_EQ(json::to_text(single.value.view()), "4");
  EXPECT_EQ(single.next, std::nullopt);
}

TEST(RetrievePage, clamps_its_size_and_refuses_a_place_behind_the_end) {
  const QueryResult found = found_in(kList, R"({"pointer":"/items"})");
  EXPECT_EQ(page(found, 0, kFillPage)->size, 4U);
  EXPECT_EQ(page(found, 0, SIZE_MAX)->size, 4U);
  EXPECT_THAT(page(found, 4, 1).error().message, HasSubstr("an offset below 4, found 4"));
  EXPECT_FALSE(page(found, SIZE_MAX, 1));
  const QueryResult none = found_in(kList, R"({"find":"zebra"})");
  EXPECT_EQ(page(none, 0, 10)->size, 0U);
  EXPECT_FALSE(page(none, 1, 10));
}

TEST(RetrievePage, any_walk_over_the_pages_sees_everything_once_and_ends) {
  check_property("pages_see_everything", property_cases(150, 5000), [] {
    json::Writer writer;
    writer.begin_array();
    const int count = draw_below(60);
    for (int i = 0; i < count; ++i)
      writer.begin_object().member("id", std::int64_t{i}).end_object();
    const json::Value payload = std::move(writer.end_array()).finish_value();
    Position position{"sha256:00", Query{}, 0};
    std::set<std::string> cursors;
    int seen = 0;
    for (;;) {
      const auto found = retrieve(payload.view(), position.query);
      const auto part = page(*found, position.offset, static_cast<std::size_t>(1 + draw_below(9)));
      RC_ASSERT(part.has_value());
      for (const json::View item : part->value->items()) {
        RC_ASSERT(item.find("id")->integer() == seen++);
      }
      const auto info = page_info(*part, position, kKey, "ann");
      RC_ASSERT(info.has_value());
      RC_ASSERT(*info->has_more == info->cursor.has_value());
      if (!info->cursor) break;
      RC_ASSERT(cursors.insert(*info->cursor).second);
      position = from_cursor(*info->cursor, kKey, "ann").value();
    }
    RC_ASSERT(seen == count);
  });
}

TEST(RetrievePage, holds_only_the_records_of_its_window_and_counts_all) {
  json::Writer writer;
  writer.begin_object().member("log", "row a\nrow b\nno\nrow c").key("items").begin_array();
  for (int i = 0; i < 30; ++i) {
    writer.begin_object().member("id", std::int64_t{i}).member("name", i % 4 == 0 ? "even" : "row");
    writer.key("parts").begin_array().begin_object().member("key", i % 3 == 0 ? "x" : "y");
    writer.end_object().end_array().end_object();
  }
  const json::Value payload = std::move(writer.end_array().end_object()).finish_value();
  const char* const queries[] = {
      R"({"range":"3.."})",
      R"({"range":"0..20"})",
      R"({"find":"row"})",
      R"({"where":"id > 4 and name = row"})",
      R"({"id":"even"})",
      R"({"id":"x"})",
      R"({"ids":["x","even","7","/items/3..9","/items/*","/log/1..2","nope","7","/items/2/id"]})",
      R"({"pointer":"/items/*/parts/*"})",
      R"({"pointer":"/items/4..17"})",
      R"({"range":"0..","pointer":"/log"})",
      R"({"pointer":"/items"})",
      "{}"};
  for (const char* const query : queries) {
    const QueryResult all = retrieve(payload.view(), query_of(query)).value();
    for (std::size_t offset = 0; offset < all.total; ++offset) {
      for (const std::size_t size : {1U, 2U, 7U, 100U}) {
        SCOPED_TRACE(::testing::Message() << query << " from " << offset << ", " << size);
        const answer::Window window = window_at(offset, size);
        const QueryResult part = retrieve(payload.view(), query_of(query), {}, window).value();
        EXPECT_LE(part.matches.size(), size);
        EXPECT_EQ(part.total, all.total);
        EXPECT_EQ(part.missing, all.missing);
        const ResultPage want = page(all, offset, size).value();
        const ResultPage got = page(part, offset, size).value();
        EXPECT_EQ(json::to_text(got.value.view()), json::to_text(want.value.view()));
        EXPECT_EQ(got.matches, want.matches);
        EXPECT_EQ(got.next, want.next);
      }
    }
  }
}

TEST(RetrievePage, says_so_when_its_records_are_not_held) {
  const json::Value list = json::parse_own("[1,2,3,4,5,6]");
  const Query query = query_of(R"({"range":"0.."})");
  const QueryResult part = retrieve(list.view(), query, {}, {.offset = 2, .size = 2}).value();
  EXPECT_TRUE(page(part, 2, 2));
  EXPECT_EQ(page(part, 1, 1).error().code, ErrorCode::internal);
  EXPECT_EQ(page(part, 3, 2).error().code, ErrorCode::internal);
  const QueryResult beyond = retrieve(list.view(), query, {}, {.offset = 9, .size = 2}).value();
  EXPECT_EQ(page(beyond, 9, 2).error().code, ErrorCode::invalid_input);
}

TEST(RetrievePage, refuses_a_cursor_that_does_not_lead_on) {
  const Position here{"sha256:ab", Query{}, 40};
  EXPECT_TRUE(check_advance(here, {"sha256:ab", Query{}, 41}));
  EXPECT_FALSE(check_advance(here, here));
  EXPECT_FALSE(check_advance(here, {"sha256:ab", Query{}, 39}));
  EXPECT_FALSE(check_advance(here, {"sha256:cd", Query{}, 41}));
  EXPECT_FALSE(check_advance(here, {"sha256:ab", query_of(R"({"find":"x"})"), 41}));
  const Position inside{"sha256:ab", query_of(R"({"pointer":"/a"})"), 40};
  EXPECT_TRUE(check_advance(inside, {"sha256:ab", query_of(R"({"pointer":"/a/b"})"), 3}));
  EXPECT_FALSE(check_advance(inside, {"sha256:ab", query_of(R"({"pointer":"/ab"})"), 41}));
}

}  // namespace
}  // namespace enfold::retrieve

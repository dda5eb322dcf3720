// SPDX-License-Identifier: Apache-2.0
// Answers in which an object has members of the same name: a pointer leads to the last of them, as
// every common reader has it, and the others go by their position.
#include "enfold/json/write.h"
#include "enfold/retrieve/page.h"
#include "enfold/retrieve/retrieve.h"
#include "tests/budget/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace enfold::retrieve {
namespace {

constexpr const char* kTwice = R"({"items":[{"id":1,"t":"one"},{"id":2,"t":"two"}],"n":7,
  "items":[{"id":3,"t":"one"}],"\u006e":8,"log":"x\none","log":"y"})";

Result<QueryResult> ask(const char* archived, const char* arguments, answer::Window window = {}) {
  const json::Value payload = json::parse_own(archived);
  const json::Value query = json::parse_own(arguments);
  return retrieve(payload.view(), parse_arguments(query.view()).value(), {}, window);
}

std::string text_of(const Result<QueryResult>& found) {
  return found ? json::to_text(found->value.view()) : found.error().message;
}

TEST(RetrieveHidden, a_pointer_leads_to_the_last_member_of_a_name) {
  EXPECT_EQ(text_of(ask(kTwice, R"({"pointer":"/n"})")), "8");
  EXPECT_EQ(text_of(ask(kTwice, R"({"pointer":"/items/0/id"})")), "3");
  EXPECT_EQ(text_of(ask(kTwice, R"({"pointer":"/0..0/1/id"})")), "2");
  EXPECT_EQ(text_of(ask(kTwice, R"({"pointer":"/1..1"})")), "7");
  EXPECT_EQ(text_of(ask(kTwice, R"({"pointer":"/3..3"})")), "[8]") << "a range as ever";
  EXPECT_EQ(text_of(ask(kTwice, R"({"pointer":"/4..4/1..1"})")), R"("one")");
}

TEST(RetrieveHidden, what_is_found_is_named_by_a_place_that_leads_to_it) {
  struct Case {
    const char* archived;
    const char* arguments;
    const char* want;
  };
  const char* const maps = R"({"m":{"a":{"k":1},"b":{"k":2},"a":{"k":3}}})";
  const char* const named = R"({"a":[{"id":1}],"0..0":5,"a":[{"id":1}]})";
  const Case cases[] = {
      {kTwice, R"({"find":"one"})", "/0..0/0 /items/0 /4..4/1..1"},
      {kTwice, R"({"where":"t = one"})", "/0..0/0 /items/0"},
      {kTwice, R"({"range":"0.."})", "/0..0/0 /0..0/1"},
      {kTwice, R"({"ids":["3","2"]})", "/items/0 /0..0/1"},
      {kTwice, R"({"pointer":"/*"})", "/0..0 /1..1 /items /n /4..4 /log"},
      {maps, R"({"range":"0.."})", "/m/0..0 /m/b /m/a"},
      {maps, R"({"where":"k != 2"})", "/m/0..0 /m/a"},
      {maps, R"({"id":"a"})", "/m/0..0 /m/a"},
      {named, R"({"where":"id = 1"})", "/00..0/0 /a/0"},
  };
  for (const Case& c : cases) {
    const auto found = ask(c.archived, c.arguments);
    ASSERT_TRUE(found) << c.arguments << ": " << found.error().message;
    std::string places;
    for (std::size_t i = 0; i < found->matches.size(); ++i) {
      const std::string& place = found->matches[i].pointer;
      places += (i == 0 ? "" : " ") + place;
      json::Writer again;
      again.begin_object().member("pointer", place).end_object();
      EXPECT_EQ(text_of(ask(c.archived, std::move(again).finish().str().data())),
                json::to_text(*found->value->item(i)))
          << place;
    }
    EXPECT_EQ(places, c.want) << c.arguments;
  }
}

/// Ids of the records in a value, at any depth.
void note_ids(json::View value, std::set<std::int64_t>& ids) {
  if (const auto id = value.find("id")) ids.insert(id->integer().value_or(-1));
  for (const json::View item : value.items()) note_ids(item, ids);
  for (const json::Member& member : value.members()) note_ids(member.value, ids);
}

TEST(RetrieveHidden, what_a_cut_answer_does_not_show_is_where_it_says) {
  std::string text = R"({"items":[)";
  for (int id = 0; id < 120; ++id) {
    text += (id == 60 ? R"(],"items":[)" : id == 0 ? "" : ",");
    text += R"({"id":)" + std::to_string(id) + R"(,"title":"the title of a record"})";
  }
  const json::Value payload = json::parse_own(text + "]}");
  for (const std::size_t tokens : {200U, 300U, 500U, 900U}) {
    const auto fitted = enfold::testing::fit_to(payload.view(), tokens);
    ASSERT_TRUE(fitted) << fitted.error().message;
    std::set<std::int64_t> ids;
    for (const auto* places : {&fitted->dropped, &fitted->briefed}) {
      for (const std::string& place : *places) {
        const auto found = retrieve(payload.view(), Query{.selection = select::Ids{{place}}});
        ASSERT_TRUE(found) << place;
        note_ids(found->value.view(), ids);
      }
    }
    note_ids(fitted->payload.view(), ids);
    EXPECT_EQ(ids.size(), 120U) << tokens
                                << " tokens: " << ::testing::PrintToString(fitted->dropped);
  }
}

TEST(RetrieveHidden, a_page_of_one_such_member_names_places_inside_of_it) {
  const QueryResult found = ask(kTwice, "{}").value();
  for (const auto& [offset, place] : {std::pair(0, "/0..0"), std::pair(2, "/items")}) {
    const ResultPage one = page(found, static_cast<std::size_t>(offset), 1).value();
    model::Reduction reduction{.dropped_ids = {"/items/0..1"}, .clipped = {""}};
    PagePointers(found, one).apply(reduction);
    EXPECT_EQ(reduction.dropped_ids.front(), std::string(place) + "/0..1");
    EXPECT_EQ(reduction.clipped.front(), place);
  }
}

}  // namespace
}  // namespace enfold::retrieve

// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"
#include "enfold/retrieve/records/needle.h"
#include "enfold/retrieve/retrieve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace enfold::retrieve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<QueryResult> ask(std::string_view archived, const std::string& arguments) {
  const json::Value parsed = json::parse_own(arguments);
  const auto query = parse_arguments(parsed.view());
  EXPECT_TRUE(query) << arguments << ": " << (query ? "" : query.error().message);
  if (!query) return fail(ErrorCode::internal, "no query");
  return retrieve_bytes(archived, {}, *query);
}

std::string value_of(const Result<QueryResult>& found) {
  return found ? json::to_text(found->value.view()) : found.error().message;
}

/// The places of the matches, or the error.
std::string places_of(const Result<QueryResult>& found) {
  if (!found) return found.error().message;
  std::string out;
  for (const Match& match : found->matches) out += (out.empty() ? "" : " ") + match.pointer;
  return out;
}

constexpr std::string_view kPods = R"({"items":[
 {"name":"a","ready":false,"size":249936,"conditions":[{"type":"Ready","status":"False"},{"type":"Init","status":"True"}]},
 {"name":"b","ready":true,"size":7,"conditions":[{"type":"Ready","status":"True"},{"type":"Init","status":"False"}]},
 {"name":"c","ready":true,"size":9,"conditions":[],"status":"Cancelled","placed":"2026-03-01"}]})";

TEST(Search, finds_numbers_and_booleans_as_they_are_written) {
  EXPECT_EQ(places_of(ask(kPods, R"({"find":"249936"})")), "/items/0");
  EXPECT_EQ(places_of(ask(kPods, R"({"find":"false"})")), "/items/0 /items/1");
  EXPECT_EQ(places_of(ask(kPods, R"({"find":"24993"})")), "");
}

TEST(Search, counts_matches_and_records_apart) {
  const auto found = ask(kPods, R"({"find":"ready"})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->total, 3U);
  EXPECT_EQ(found->match_count, 5U);
  EXPECT_THAT(found->notes, ElementsAre("5 matches in 3 records"));
  EXPECT_EQ(value_of(ask(kPods, R"({"find":"ready","count":true})")), R"({"count":3,"matches":5})");
}

TEST(Search, takes_regular_expressions) {
  EXPECT_EQ(places_of(ask(kPods, R"({"regex":"^[bc]$"})")), "/items/1 /items/2");
  EXPECT_EQ(places_of(ask("one\ntwo\nthree", R"({"regex":"^t"})")), "/1..1 /2..2");
}

TEST(Search, shows_the_match_of_a_long_record_with_its_surroundings) {
  const std::string filler(2000, 'x');
  const std::string answer =
      R"([{"id":1,"body":")" + filler + R"( needle here )" + filler + R"("}])";
  const auto found = ask(answer, R"({"find":"NEEDLE"})");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->matches.at(0).is_excerpt);
  const auto match = found->value->item(0)->find("matches")->item(0);
  EXPECT_EQ(match->find("at")->string(), "/0/body");
  const std::string text = match->find("text")->string();
  EXPECT_THAT(text, HasSubstr("x needle here x"));
  EXPECT_LT(text.size(), 250U);
  EXPECT_TRUE(text.starts_with("…") && text.ends_with("…"));
}

TEST(Search, shows_the_lines_around_a_line) {
  const auto found = ask("a\nb\nhit\nd\ne\n", R"({"find":"hit","context":1})");
  ASSERT_TRUE(found);
  EXPECT_EQ(value_of(found), R"(["b\nhit\nd\n"])");
  EXPECT_EQ(found->matches.at(0).line, 3U);
  EXPECT_EQ(found->matches.at(0).first_line, 2U);
  EXPECT_EQ(found->matches.at(0).pointer, "/1..3");
}

TEST(Search, takes_the_members_of_a_map_for_records_even_if_they_hold_lists) {
  constexpr std::string_view map =
      R"({"packages":{"a":{"v":1,"os":["linux"]},"b":{"v":2,"os":["mac"]},"c":{"v":3}}})";
  EXPECT_EQ(places_of(ask(map, R"({"where":"v >= 2"})")), "/packages/b /packages/c");
  EXPECT_EQ(places_of(ask(map, R"({"find":"linux"})")), "/packages/a");
  const auto found = ask(map, R"({"range":"-2.."})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->matches.at(0).name, "b");
  EXPECT_EQ(found->matches.at(1).name, "c");
  EXPECT_EQ(places_of(ask(map, R"({"id":"c"})")), "/packages/c");
}

TEST(Conditions, over_one_list_hold_in_one_element) {
  struct Case {
    const char* where;
    const char* want;
  };
  const Case cases[] = {
      {R"(conditions.type = Ready and conditions.status = \"False\")", "/items/0"},
      {R"(conditions.type = Ready and not conditions.status = \"True\")", "/items/0"},
      {R"(conditions.type = Ready and conditions.status != \"True\")", "/items/0"},
      {R"(conditions.type = Ready and conditions.type = Init)", "/items/0 /items/1"},
      {R"(conditions.0.type = Ready and conditions.1.status = \"False\")", "/items/1"},
      {R"(conditions.type = Ready and name = b)", "/items/1"},
      {R"(conditions.type = Ready or conditions.status = \"False\")", "/items/0 /items/1"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(places_of(ask(kPods, std::string(R"({"where":")") + c.where + "\"}")), c.want)
        << c.where;
  }
}

TEST(Conditions, without_a_match_say_why) {
  const auto boolean = ask(kPods, R"({"where":"conditions.status = False"})");
  ASSERT_TRUE(boolean);
  EXPECT_EQ(boolean->total, 0U);
  EXPECT_THAT(boolean->notes, ElementsAre("False was read as boolean; 2 records would match the "
                                          "text: put it in quotes"));
  const auto year = ask(kPods, R"({"where":"placed > 2026"})");
  ASSERT_TRUE(year);
  EXPECT_THAT(year->notes, ElementsAre(HasSubstr("2026 was read as number; 1 record would match")));
  const auto other_case = ask(kPods, R"({"where":"status = cancelled"})");
  ASSERT_TRUE(other_case);
  EXPECT_THAT(other_case->notes, ElementsAre(HasSubstr("1 record would match in other case")));
  EXPECT_THAT(ask(kPods, R"({"where":"status = nope"})")->notes, IsEmpty());
}

TEST(Conditions, hold_for_records_inside_of_texts) {
  constexpr std::string_view csv = "id,status\n7,open\n8,closed\n9,open\n";
  EXPECT_EQ(value_of(ask(csv, R"({"where":"status = open"})")),
            R"([{"id":7,"status":"open"},{"id":9,"status":"open"}])");
  EXPECT_EQ(value_of(ask(csv, R"({"where":"status = open","count":true})")), R"({"count":2})");
  constexpr std::string_view tree = "top\n├── a.png\n├── id_rsa.pem\n└── b.png\n";
  EXPECT_THAT(value_of(ask(tree, R"({"where":"name = id_rsa.pem"})")),
              HasSubstr(R"("path":"id_rsa.pem")"));
  constexpr std::string_view blocks =
      R"({"content":[{"type":"text","text":"hello"},{"type":"text","text":"[{\"id\":1},{\"id\":2}]"}]})";
  EXPECT_EQ(value_of(ask(blocks, R"({"where":"id = 2"})")), R"([{"id":2}])");
}

TEST(Sql, that_finds_nothing_names_texts_in_another_case) {
  const auto found =
      ask(kPods, R"({"sql":"select count(*) from items where status = 'cancelled'"})");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->notes, ElementsAre("cancelled occurs in other case: Cancelled 1"));
  EXPECT_THAT(ask(kPods, R"({"sql":"select count(*) from items where name = 'zz'"})")->notes,
              IsEmpty());
}

TEST(Reading, counts_from_the_end_with_negative_numbers) {
  constexpr std::string_view text = "a\nb\nc\nd\n";
  EXPECT_EQ(value_of(ask(text, R"({"lines":"-2.."})")), R"("c\nd\n")");
  EXPECT_EQ(value_of(ask(text, R"({"lines":"2..-2"})")), R"("b\nc\n")");
  EXPECT_EQ(value_of(ask(text, R"({"chars":"-4..-1"})")), R"("c\nd\n")");
  EXPECT_EQ(places_of(ask(kPods, R"({"range":"-1"})")), "/items/2");
  EXPECT_EQ(places_of(ask(kPods, R"({"range":"/items/-2..-1"})")), "/items/1 /items/2");
  EXPECT_EQ(value_of(ask(text, R"({"lines":"-9.."})")), R"("a\nb\nc\nd\n")");
}

TEST(Reading, counts_without_showing) {
  EXPECT_EQ(value_of(ask(kPods, R"({"where":"ready = true","count":true})")), R"({"count":2})");
  EXPECT_EQ(value_of(ask(kPods, R"({"pointer":"/items","count":true})")), R"({"count":3})");
  EXPECT_EQ(value_of(ask("a\nb\n", R"({"count":true})")), R"({"count":2})");
  EXPECT_EQ(value_of(ask(kPods, R"({"count":true})")), R"({"count":3})");
  EXPECT_EQ(value_of(ask("[]", R"({"count":true})")), R"({"count":0})");
  EXPECT_EQ(value_of(ask(R"({"id":1,"name":"a"})", R"({"count":true})")), R"({"count":2})");
}

TEST(Reading, needs_no_pointer_to_the_only_text) {
  constexpr std::string_view one = R"({"id":7,"log":"a\nb\nc"})";
  EXPECT_EQ(value_of(ask(one, R"({"lines":"2..2"})")), R"("b\n")");
  const auto two = ask(R"({"out":"a\nb","err":"c\nd"})", R"({"lines":"1..1"})");
  ASSERT_FALSE(two);
  EXPECT_THAT(two.error().hint, HasSubstr("/out, /err"));
}

TEST(Reading, takes_a_text_for_several_lines_only_if_it_has_them) {
  EXPECT_EQ(value_of(ask(R"({"path":"C:\\new","log":"a\u000ab"})", R"({"lines":"2..2"})")),
            R"("b")");
}

TEST(Reading, gives_the_place_of_every_value_of_a_pattern) {
  const auto found = ask(kPods, R"({"pointer":"/items/*/name"})");
  ASSERT_TRUE(found);
  EXPECT_EQ(places_of(found), "/items/0/name /items/1/name /items/2/name");
  EXPECT_TRUE(found->matches.at(0).shows_pointer);
  EXPECT_FALSE(ask(kPods, R"({"pointer":"/items/0..1"})")->matches.at(0).shows_pointer);
}

TEST(Search, counts_matches_of_a_pattern_in_the_whole_text) {
  const Needle begin("^a", true);
  EXPECT_EQ(begin.count_in("aaaa"), 1U);
  EXPECT_EQ(Needle("x+", true).count_in("éx xx"), 2U);
  EXPECT_EQ(Needle("a", true).count_in("banana"), 3U);
  EXPECT_FALSE(begin.gave_up());
}

// Each match of this pattern reads the text to its end.
TEST(Search, gives_up_counting_a_pattern_that_reads_too_much) {
  const Needle slow("a(.*b)?", true);
  EXPECT_GT(slow.count_in(std::string(200'000, 'a')), 100U);
  EXPECT_TRUE(slow.gave_up());
  EXPECT_EQ(slow.count_in("aaa"), 1U) << "a text that matches still counts";
  EXPECT_EQ(slow.count_in("ccc"), 0U);
}

TEST(Search, finds_an_answer_that_is_a_number) {
  EXPECT_EQ(value_of(ask("249936", R"({"find":"249936"})")), "[249936]");
  EXPECT_EQ(value_of(ask("249936", R"({"find":"2"})")), "[]");
}

// Texts of a few characters, so that matches, cases and escapes are frequent.
TEST(Needle, is_never_missed_by_the_quick_test_of_json) {
  const std::vector<std::string> pieces{"a",       "A", "b", "Z",    "z",    "/", "\\/", "\\n",
                                        "\\u0061", "é", "É", "\\\"", "\\\\", " ", "1",   "ü"};
  const std::vector<std::string> wanted_pieces{"a", "b", "Z", "/", "\n", "é", "\"", "\\", " ", "1"};
  std::mt19937_64 random(20261118);
  const auto draw = [&](const std::vector<std::string>& from, std::size_t most) {
    std::string out;
    for (std::size_t n = 1 + random() % most; n > 0; --n) out += from[random() % from.size()];
    return out;
  };
  int found = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string raw = "\"" + draw(pieces, 60) + "\"";
    const Needle needle(draw(wanted_pieces, 3));
    const std::string text = json::parse_own(raw)->string();
    if (!needle.is_in(text)) continue;
    ++found;
    ASSERT_TRUE(needle.may_be_in_json(raw)) << raw;
  }
  EXPECT_GT(found, 2000);
  EXPECT_FALSE(Needle("abc").may_be_in_json(R"({"a":"bcd","ab":"c","n":"abd"})"));
}

}  // namespace
}  // namespace enfold::retrieve

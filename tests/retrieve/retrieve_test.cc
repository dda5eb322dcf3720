// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/retrieve.h"

#include "enfold/json/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::retrieve {
namespace {

using ::testing::HasSubstr;

constexpr const char* kIssues = R"({"content":[{"type":"text","text":"see below"}],
 "structuredContent":{"repository":"acme/warehouse","total":4,"items":[
  {"id":101,"number":7,"title":"Crash on Start","state":"open","score":0.5,
   "labels":[{"id":9,"name":"backend"}],"user":{"name":"ann"},"created_at":"2025-01-02T10:00:00Z"},
  {"id":102,"number":8,"title":"Slow search","state":"closed","score":0.90,
   "labels":[],"user":{"name":"bob"},"created_at":"2025-02-28T10:00:00Z"},
  {"id":103,"number":101,"title":"Umlaut: GRÖSSE","state":"open","score":1e0,"assignee":null,
   "labels":[{"id":10,"name":"UI"},{"id":9,"name":"backend"}],"user":{"name":"ann"},
   "created_at":"2025-03-01T00:00:00Z"},
  {"id":104,"number":10,"title":"Typo","state":"open","score":"0.95","tags":["p1","p2"],
   "labels":[],"user":{"name":"eve"},"created_at":"2025-12-28T10:00:00Z"}],
  "facets":[{"state":"open","count":3},{"state":"closed","count":1}]}})";

Query query_of(const std::string& arguments) {
  const json::Value parsed = json::parse_own(arguments);
  auto query = parse_arguments(parsed.view());
  EXPECT_TRUE(query) << arguments << ": " << (query ? "" : query.error().message);
  return query.value_or(Query{});
}

Result<QueryResult> ask(const char* archived, const std::string& arguments) {
  const auto document = json::parse(std::string_view(archived));
  EXPECT_TRUE(document);
  return retrieve(document->root(), query_of(arguments));
}

/// "/items/0 /items/2", or the error's message.
std::string matches_of(const Result<QueryResult>& found) {
  if (!found) return found.error().message;
  std::string out;
  for (const Match& match : found->matches) out += (out.empty() ? "" : " ") + match.pointer;
  EXPECT_EQ(found->total, found->matches.size());
  EXPECT_EQ(found->value->size(), found->matches.size());
  return out;
}

std::string text_of(const Result<QueryResult>& found) {
  return found ? json::to_text(found->value.view()) : found.error().message;
}

TEST(Retrieve, by_pointer_gives_what_stands_there) {
  struct Case {
    const char* name;
    const char* arguments;
    const char* want;
  };
  const Case cases[] = {
      {"a leaf", R"({"pointer":"/items/1/title"})", R"("Slow search")"},
      {"a number by its text", R"({"pointer":"/items/1/score"})", "0.90"},
      {"below the envelope's name", R"({"pointer":"/data/items/1/id"})", "102"},
      {"in the tool's own result", R"({"pointer":"/content/0/text"})", R"("see below")"},
      {"absolute", R"({"pointer":"/structuredContent/total"})", "4"},
      {"only in the result", R"({"pointer":"/content/0/type","raw":true})", R"("text")"},
      {"a member of all items", R"({"pointer":"/items/*/id"})", "[101,102,103,104]"},
      {"a member of some items", R"({"pointer":"/items/1..2/id"})", "[102,103]"},
      {"where some have it", R"({"pointer":"/items/*/tags"})", R"([["p1","p2"]])"},
      {"members by position", R"({"pointer":"/0..1"})", R"(["acme/warehouse",4])"},
      {"every item of none", R"({"pointer":"/items/1/labels/*"})", "[]"},
  };
  for (const Case& c : cases) EXPECT_EQ(text_of(ask(kIssues, c.arguments)), c.want) << c.name;
}

TEST(Retrieve, a_payload_comes_before_the_result_around_it) {
  const char* file =
      R"({"content":[{"type":"text","text":"x"}],"structuredContent":{"content":"x"}})";
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/content"})")), R"("x")");
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/content/0/text"})")), R"("x")");
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/content","raw":true})")),
            R"([{"type":"text","text":"x"}])");
}

TEST(Retrieve, opens_every_kind_of_answer) {
  struct Case {
    const char* name;
    const char* archived;
    const char* arguments;
    const char* want;
  };
  const Case cases[] = {
      {"JSON in text", R"({"content":[{"type":"text","text":"{\"a\":[1,2.0]}"}]})",
       R"({"pointer":"/a/1"})", "2.0"},
      {"a list in text", R"({"content":[{"type":"text","text":"[1,2]"}]})", R"({"pointer":"/1"})",
       "2"},
      {"a list as it was shown", R"({"content":[{"type":"text","text":"[1,2]"}]})",
       R"({"pointer":"/items/1"})", "2"},
      {"plain text", R"({"content":[{"type":"text","text":"a\nb\nc"}]})", R"({"pointer":""})",
       R"("a\nb\nc")"},
      {"plain text as it was shown", R"({"content":[{"type":"text","text":"a\nb\nc"}]})",
       R"({"pointer":"/text/1..2"})", R"("b\nc")"},
      {"a structured scalar", R"({"content":[],"structuredContent":3})", R"({"pointer":"/result"})",
       "3"},
      {"several blocks", R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})",
       R"({"pointer":"/content/1/text"})", R"("b")"},
      {"a failure", R"({"content":[{"type":"text","text":"no such file"}],"isError":true})",
       R"({"pointer":""})", R"("no such file")"},
      {"an envelope inside",
       R"({"content":[{"type":"text","text":"{\"success\":true,\"data\":{\"a\":7},\"error\":null,\"meta\":{\"version\":\"response-v2\"}}"}]})",
       R"({"pointer":"/a"})", "7"},
      {"no result at all", R"([{"id":"x"},{"id":"y"}])", R"({"pointer":"/1/id"})", R"("y")"},
      {"an empty result", R"({"content":[]})", R"({"pointer":""})", R"({"content":[]})"},
  };
  for (const Case& c : cases) EXPECT_EQ(text_of(ask(c.archived, c.arguments)), c.want) << c.name;
}

TEST(Retrieve, the_whole_is_byte_for_byte) {
  const auto found = ask(kIssues, R"({"raw":true})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value->raw(), kIssues);
}

TEST(Retrieve, what_is_not_there_is_explained) {
  struct Case {
    const char* arguments;
    const char* message;
    const char* where;
    const char* hint;
  };
  const Case cases[] = {
      {R"({"pointer":"/item"})", "expected a member \"item\", found an object with the members",
       "the payload", "did you mean /items?"},
      {R"({"pointer":"/items/1/titel"})", "expected a member \"titel\"", "/items/1",
       "did you mean /items/1/title?"},
      {R"({"pointer":"/items/4"})", "expected an item of a list of 4, found \"4\"", "/items",
       "/items/0 to /items/3"},
      {R"({"pointer":"/items/7..9"})", "expected an item of a list of 4, found \"7..9\"", "/items",
       ""},
      {R"({"pointer":"/items/*/bodi"})", "expected a member \"bodi\"", "/items/0", ""},
      {R"({"pointer":"/total/x"})", "expected an object or a list with \"x\", found number",
       "/total", ""},
      {R"({"range":"4..9"})", "expected records 4..9, found 4 of them", "/items", "they are 0..3"},
      {R"({"id":"nope"})", "found \"nope\", which no record has", "/items", "named by id"},
      {R"({"lines":"1..2"})", "expected a text to take lines or characters of, found object",
       "the payload", "/repository"},
      {R"({"lines":"5..6","pointer":"/repository"})", "expected lines 5..6, found 1 of them",
       "/repository", "1..1"},
      {R"({"chars":"99..","pointer":"/repository"})", "expected characters 99.., found 14",
       "/repository", "0..13"},
      {R"({"find":"x","pointer":"/items/*"})", "expected a pointer to one place", "/items/*", ""},
      {R"({"where":"stat = open"})", "found \"stat\"; the first record has id, number, title",
       "where", "did you mean state?"},
      {R"({"where":"a = 1","pointer":"/repository"})", "expected records for a condition", "where",
       "use find"},
  };
  for (const Case& c : cases) {
    const auto found = ask(kIssues, c.arguments);
    ASSERT_FALSE(found) << c.arguments;
    EXPECT_THAT(found.error().message, HasSubstr(c.message)) << c.arguments;
    EXPECT_THAT(found.error().where, HasSubstr(c.where)) << c.arguments;
    EXPECT_THAT(found.error().hint, HasSubstr(c.hint)) << c.arguments;
  }
}

TEST(Retrieve, lines_behind_the_end_of_a_text_are_not_found) {
  struct Case {
    const char* name;
    const char* arguments;
    const char* message;
    const char* where;
    const char* hint;
  };
  const Case cases[] = {
      {"by place", R"({"pointer":"/log/3..9"})", "expected lines 3..9, found 3 of them", "/log",
       "they are 0..2"},
      {"by place, to the end", R"({"pointer":"/log/7.."})", "expected lines 7.., found 3", "/log",
       "they are 0..2"},
      {"in the result", R"({"pointer":"/content/0/text/1..2"})", "expected lines 1..2, found 1",
       "/content/0/text", "they are 0..0"},
      {"of an empty text", R"({"pointer":"/empty/0..0"})", "expected lines 0..0, found 0", "/empty",
       ""},
      {"of every text", R"({"pointer":"/rows/*/t/5..6"})", "expected lines 5..6, found 1",
       "/rows/1/t", "they are 0..0"},
      {"with characters", R"({"pointer":"/log/8..9","chars":"0..1"})", "expected lines 8..9",
       "/log", "they are 0..2"},
      {"among ids", R"({"id":"/log/3..9"})", "found \"/log/3..9\", which no record has", "/rows",
       ""},
  };
  const char* const file = R"({"content":[{"type":"text","text":"x"}],"structuredContent":{
      "log":"a\nb\nc","empty":"","rows":[{"t":"a\nb"},{"t":"a"}]}})";
  for (const Case& c : cases) {
    const auto found = ask(file, c.arguments);
    ASSERT_FALSE(found) << c.name;
    EXPECT_EQ(found.error().code, ErrorCode::not_found) << c.name;
    EXPECT_THAT(found.error().message, HasSubstr(c.message)) << c.name;
    EXPECT_EQ(found.error().where, c.where) << c.name;
    EXPECT_THAT(found.error().hint, HasSubstr(c.hint)) << c.name;
  }
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/log/2..9"})")), R"("c")");
  EXPECT_EQ(matches_of(ask(file, R"({"pointer":"/rows/*/t/1..6"})")), "/rows/0/t/1..6");
  const auto partly = ask(file, R"({"ids":["/log/3..9","/log/0..0"]})");
  EXPECT_EQ(matches_of(partly), "/log/0..0");
  EXPECT_THAT(partly->missing, ::testing::ElementsAre("/log/3..9"));
}

TEST(Retrieve, by_id_takes_every_string_that_names_what_was_dropped) {
  struct Case {
    const char* name;
    const char* arguments;
    const char* want;
  };
  const Case cases[] = {
      {"an id", R"({"id":102})", "/items/1"},
      {"as text", R"({"id":"104"})", "/items/3"},
      {"by the other number", R"({"id":"8"})", "/items/1"},
      {"id and number of two records", R"({"id":"101"})", "/items/0 /items/2"},
      {"in the order asked for", R"({"ids":["104","102"]})", "/items/3 /items/1"},
      {"twice", R"({"ids":["104","104","/items/3"]})", "/items/3"},
      {"by title", R"({"id":"Typo"})", "/items/3"},
      {"by a member that differs", R"({"id":"2025-12-28T10:00:00Z"})", "/items/3"},
      {"by one record's chance", R"({"id":"0.95"})", "/items/3"},
      {"a range", R"({"id":"/items/1..2"})", "/items/1 /items/2"},
      {"a place", R"({"id":"/items/2/user"})", "/items/2/user"},
      {"a member", R"({"id":"/total"})", "/total"},
      {"all of it", R"({"id":""})", ""},
      {"deeper", R"({"id":"UI"})", "/items/2/labels/0"},
      {"within", R"({"id":"9","pointer":"/items/2"})", "/items/2/labels/1"},
  };
  for (const Case& c : cases) {
    const auto found = ask(kIssues, c.arguments);
    ASSERT_TRUE(found) << c.name << ": " << found.error().message;
    EXPECT_EQ(matches_of(found), c.want) << c.name;
  }
  const auto partly = ask(kIssues, R"({"ids":["102","nope"]})");
  EXPECT_EQ(matches_of(partly), "/items/1");
  EXPECT_THAT(partly->missing, ::testing::ElementsAre("nope"));
  std::string places = R"({"ids":["/items/0")";
  for (int i = 1; i < 33; ++i) places += ",\"/items/" + std::to_string(i) + "\"";
  EXPECT_EQ(ask(kIssues, places + "]}").error().code, ErrorCode::limit_exceeded);
  // "open" is what several records say of themselves, not what one of them is called.
  EXPECT_FALSE(ask(R"([{"id":1,"s":"open"},{"id":2,"s":"open"}])", R"({"id":"open"})"));
}

TEST(Retrieve, by_id_knows_maps_and_lists_of_words) {
  EXPECT_EQ(matches_of(ask(R"({"services":{"web":{"n":1},"db":{"n":2}}})", R"({"id":"db"})")),
            "/services/db");
  EXPECT_EQ(matches_of(ask(R"(["a.cc","b.cc"])", R"({"id":"b.cc"})")), "/1");
  EXPECT_EQ(matches_of(ask(R"([{"path":"/a"},{"path":"/b"}])", R"({"id":"/b"})")), "/1");
  // A list of references comes after the records that they refer to.
  EXPECT_EQ(matches_of(
                ask(R"({"order":["x","y"],"tasks":[{"task":"x"},{"task":"y"}]})", R"({"id":"y"})")),
            "/tasks/1");
}

TEST(Retrieve, by_range_takes_the_main_list_or_the_one_named) {
  EXPECT_EQ(matches_of(ask(kIssues, R"({"range":"2..9"})")), "/items/2 /items/3");
  EXPECT_EQ(matches_of(ask(kIssues, R"({"range":"1"})")), "/items/1");
  EXPECT_EQ(matches_of(ask(kIssues, R"({"range":"0..0","pointer":"/facets"})")), "/facets/0");
  EXPECT_EQ(matches_of(ask(kIssues, R"({"range":"/items/0..1"})")), "/items/0 /items/1");
  EXPECT_EQ(
      text_of(ask(R"({"content":[{"type":"text","text":"a\nb\nc\n"}]})", R"({"range":"1.."})")),
      R"("b\nc\n")");
}

TEST(Retrieve, by_text_finds_records_in_any_case) {
  struct Case {
    const char* name;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"a title", "CRASH on", "/items/0"},
      {"deep inside", "Backend", "/items/0 /items/2"},
      {"beyond ASCII", "größe", ""},
      {"letters with marks", "gröss", "/items/2"},
      {"a key", "assignee", "/items/2"},
      {"outside of lists", "warehouse", "/repository"},
      {"the name of a list", "facet", "/facets"},
      {"nothing", "zebra", ""},
      {"a number by its text", "101", "/items/0 /items/2"},
      {"no part of a number", "0.9", "/items/3"},
  };
  for (const Case& c : cases) {
    const auto found = ask(kIssues, std::string(R"({"find":")") + c.text + "\"}");
    EXPECT_EQ(matches_of(found), c.want) << c.name;
  }
}

TEST(Retrieve, by_text_finds_members_of_a_map_as_the_records_that_they_are) {
  const char* map =
      R"({"note":"a timeout","services":{"web":{"id":0,"status":"ok"},)"
      R"("db":{"id":1,"status":"timeout","deep":{"why":"a\ntimeout"}},"timeouts":{}}})";
  const auto found = ask(map, R"({"find":"timeout"})");
  EXPECT_EQ(matches_of(found), "/note /services/db /services/timeouts");
  EXPECT_TRUE(found->matches[0].shows_pointer);
  EXPECT_EQ(json::to_text(found->value.view()),
            R"(["a timeout",{"id":1,"status":"timeout","deep":{"why":"a\ntimeout"}},{}])");
  EXPECT_EQ(matches_of(ask(map, R"({"find":"timeout","pointer":"/services"})")),
            "/services/db /services/timeouts");
  // Where there are lists of records, these hold them.
  const auto beside = ask(R"({"a":{"s":"timeout"},"b":{"rows":[1]}})", R"({"find":"timeout"})");
  EXPECT_EQ(matches_of(beside), "/a/s");
  EXPECT_TRUE(beside->matches[0].shows_pointer);
}

TEST(Retrieve, by_text_finds_lines_of_texts) {
  const char* file =
      R"({"content":[],"structuredContent":{"path":"a.log","body":"ok\nERROR one\r\nok\nerror two"}})";
  const auto found = ask(file, R"({"find":"error"})");
  EXPECT_EQ(matches_of(found), "/body/1..1 /body/3..3");
  EXPECT_EQ(text_of(found), R"(["ERROR one\r\n","error two"])");
  EXPECT_EQ(found->matches[1].line, 4U);
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/body/3..3"})")), R"("error two")");
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/body","lines":"2..3"})")), R"("ERROR one\r\nok\n")");
  EXPECT_FALSE(ask(file, R"({"pointer":"/body/3..1"})")) << "no lines lie between";
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/body","chars":"3..7"})")), R"("ERROR")");
}

TEST(Retrieve, lines_of_a_range_of_lines_count_from_its_first) {
  const char* file = R"({"content":[],"structuredContent":{"log":"a\nb\nc\nd\ne"}})";
  const auto found = ask(file, R"({"pointer":"/log/1..3","lines":"2..9"})");
  EXPECT_EQ(text_of(found), R"("c\nd\n")");
  EXPECT_EQ(found->pointer, "/log/2..3");
  EXPECT_EQ(found->lines_before, 2U);
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/log/2..3"})")), text_of(found));
  EXPECT_EQ(text_of(ask(file, R"({"pointer":"/log/1..3","lines":"-1.."})")), R"("d\n")");
  EXPECT_FALSE(ask(file, R"({"pointer":"/log/1..3","lines":"4..5"})")) << "there are three";
}

TEST(Retrieve, from_plain_text) {
  const std::string text = "one\ntwo\nthree\n";
  EXPECT_EQ(text_of(retrieve_text(text, query_of(R"({"lines":"2..2"})"))), R"("two\n")");
  EXPECT_EQ(text_of(retrieve_text(text, query_of(R"({"find":"T"})"))), R"(["two\n","three\n"])");
  EXPECT_EQ(text_of(retrieve_text(text, query_of(R"({"raw":true})"))), R"("one\ntwo\nthree\n")");
  EXPECT_EQ(text_of(retrieve_text(text, query_of(R"({"stat":true})"))),
            R"({"kind":"string","bytes":14,"form":"text","lines":3,"characters":14})");
  EXPECT_FALSE(retrieve_text(text, query_of(R"({"where":"a = 1"})")));
  EXPECT_EQ(retrieve_text(text, query_of("{}"))->total, 3U);
  EXPECT_EQ(retrieve_text("", query_of("{}"))->total, 0U);
}

TEST(Retrieve, by_condition) {
  struct Case {
    const char* condition;
    const char* want;
  };
  const Case cases[] = {
      {"state = open and number exists", "/items/0 /items/2 /items/3"},
      {"state = open", "/items/0 /items/2 /items/3 /facets/0"},
      {"state != open and number exists", "/items/1"},
      {"score >= 0.9", "/items/1 /items/2 /items/3"},
      {"score = 0.9", "/items/1"},
      {"score < 1 and score > 0.5", "/items/1 /items/3"},
      {"created_at < 2025-03-01", "/items/0 /items/1"},
      {"created_at >= 2025-03 and created_at < 2025-04", "/items/2"},
      {"labels contains backend", "/items/0 /items/2"},
      {"labels contains Backend", "/items/0 /items/2"},
      {"labels contains back", ""},
      {"labels.name = UI", "/items/2"},
      {"labels.0.name = backend", "/items/0"},
      {"tags = p2", "/items/3"},
      {"title contains 'on start'", "/items/0"},
      {"user.name = ann and not (number = 7)", "/items/2"},
      {"/user/name = eve or id = 102", "/items/1 /items/3"},
      {"assignee = null and id > 102", "/items/2 /items/3"},
      {"assignee exists", "/items/2"},
      {"tags not exists and id exists", "/items/0 /items/1 /items/2"},
      {"user contains name", "/items/0 /items/1 /items/2 /items/3"},
      {"state = Open", ""},
      {"id = \"101\"", ""},
      {"count >= 1", "/facets/0 /facets/1"},
  };
  for (const Case& c : cases) {
    json::Writer writer;
    writer.begin_object().member("where", c.condition).end_object();
    EXPECT_EQ(matches_of(ask(kIssues, std::move(writer).finish().str())), c.want) << c.condition;
  }
}

TEST(Retrieve, by_condition_compares_only_what_is_of_one_kind) {
  const char* const rows = R"([{"v":"abc"},{"v":"7"},{"v":7},{"v":true},{"v":null},{"v":"null"},
                               {"v":"true"},{"v":[8]},{"v":{}},{"w":1}])";
  struct Case {
    const char* condition;
    const char* want;
  };
  for (const Case& c :
       {Case{"v > 5", "/1 /2 /7"}, Case{"v < 5", ""}, Case{"v = 7", "/1 /2"},
        Case{"v = 7.0", "/1 /2"}, Case{"v = '7'", "/1"}, Case{"v < x", "/0 /1 /5 /6"},
        Case{"v = null", "/4 /9"}, Case{"v >= null", "/4"}, Case{"v = 'null'", "/5"},
        Case{"v = true", "/3"}, Case{"v > false", "/3"}, Case{"v = 'true'", "/6"},
        Case{"v != 7", "/0 /3 /4 /5 /6 /7 /8 /9"}}) {
    json::Writer writer;
    writer.begin_object().member("where", c.condition).end_object();
    EXPECT_EQ(matches_of(ask(rows, std::move(writer).finish().str())), c.want) << c.condition;
  }
}

TEST(Retrieve, by_condition_where_there_is_no_list) {
  const char* map = R"({"services":{"web":{"replicas":3},"db":{"replicas":1}}})";
  EXPECT_EQ(matches_of(ask(map, R"({"where":"replicas > 1"})")), "/services/web");
  EXPECT_EQ(matches_of(ask(R"({"state":"open"})", R"({"where":"state = open"})")), "");
  EXPECT_EQ(ask(R"({"state":"open"})", R"({"where":"state = open"})")->total, 1U);
  EXPECT_EQ(matches_of(ask(R"(["ab","b"])", R"({"where":". contains a"})")), "/0");
  EXPECT_EQ(matches_of(ask("[]", R"({"where":"a = 1"})")), "");
}

TEST(Retrieve, tells_what_there_is) {
  const auto found = ask(kIssues, R"({"stat":true})");
  ASSERT_TRUE(found);
  EXPECT_EQ(json::to_text(*found->value->find("lists")),
            R"([{"pointer":"/items","count":4,"id":"id"},)"
            R"({"pointer":"/facets","count":2}])");
}

TEST(Retrieve, a_handle_that_does_not_open_has_one_answer) {
  const model::Response response = handle_not_found("184467440737");
  ASSERT_TRUE(response.failure);
  EXPECT_EQ(response.outcome, model::Outcome::failed);
  EXPECT_EQ(response.failure->code, "NOT_FOUND");
  EXPECT_EQ(response.failure->type, model::ErrorType::not_found);
  EXPECT_EQ(response.failure->message, "Archived answer '184467440737' not found");
  ASSERT_EQ(response.failure->remediation.size(), 1U);
  EXPECT_THAT(response.failure->remediation[0], HasSubstr("Call the original tool again"));
  EXPECT_LT(handle_not_found(std::string(10'000, 'x')).failure->message.size(), 150U);
}

}  // namespace
}  // namespace enfold::retrieve

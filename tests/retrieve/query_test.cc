// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/query.h"

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/sql/sql.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"
#include "tests/support/query_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::retrieve {
namespace {

using enfold::testing::check_property;
using enfold::testing::draw_below;
using enfold::testing::draw_chance;
using enfold::testing::draw_text;
using enfold::testing::property_cases;
using ::testing::HasSubstr;

/// A condition with every grouping spelled out: (and (= state "open") …).
std::string spelled(const Condition& condition) {
  static const char* const words[] = {"=", "!=", "<", "<=", ">", ">=", "contains", "exists"};
  static const char* const kinds[] = {"", "#", "?", "~"};
  const Term& term = condition.term;
  std::string out = "(";
  switch (condition.kind) {
    case Condition::Kind::term:
      out += words[static_cast<int>(term.comparison)];
      out += " " + json::Pointer(term.path).str();
      if (term.comparison == Comparison::exists) break;
      out += " " + term.literal.text + kinds[static_cast<int>(term.literal.kind)];
      break;
    case Condition::Kind::all: out += "and"; break;
    case Condition::Kind::any: out += "or"; break;
    case Condition::Kind::negation: out += "not"; break;
  }
  for (const Condition& part : condition.parts) out += " " + spelled(part);
  return out + ")";
}

TEST(Condition, is_read_as_it_is_meant) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"state = open", "(= /state open)"},
      {"state==open", "(= /state open)"},
      {"score>=0.9", "(>= /score 0.9#)"},
      {"labels contains backend", "(contains /labels backend)"},
      {"created_at < 2025-03-01", "(< /created_at 2025-03-01)"},
      {"n <> -1e3", "(!= /n -1e3#)"},
      {"n = 007", "(= /n 007)"},
      {"done = TRUE", "(= /done TRUE?)"},
      {"done = \"true\"", "(= /done true)"},
      {"who = null", "(= /who null~)"},
      {"error exists", "(exists /error)"},
      {"error not exists", "(not (exists /error))"},
      {"title not contains 'a b'", "(not (contains /title a b))"},
      {"user.name = ann", "(= /user/name ann)"},
      {"/user/na~1me = ann", "(= /user/na~1me ann)"},
      {"'user.name' = ann", "(= /user.name ann)"},
      {". contains x", "(contains  x)"},
      {"a = 1 or b = 2 and c = 3", "(or (= /a 1#) (and (= /b 2#) (= /c 3#)))"},
      {"(a = 1 or b = 2) and c = 3", "(and (or (= /a 1#) (= /b 2#)) (= /c 3#))"},
      {"not a = 1 and b = 2", "(and (not (= /a 1#)) (= /b 2#))"},
      {"not (a = 1 AND NOT b = 2)", "(not (and (= /a 1#) (not (= /b 2#))))"},
      {"a = 1 and b = 2 and c = 3", "(and (= /a 1#) (= /b 2#) (= /c 3#))"},
      {R"(t = "say \"hi\"\n")", "(= /t say \"hi\"\n)"},
      {"日付 = 今日", "(= /日付 今日)"},
      {"contains contains contains", "(contains /contains contains)"},
  };
  for (const Case& c : cases) {
    const auto condition = parse_condition(c.text);
    ASSERT_TRUE(condition) << c.text << ": " << condition.error().message;
    EXPECT_EQ(spelled(*condition), c.want) << c.text;
  }
}

TEST(Condition, that_is_wrong_names_the_place_and_what_was_expected) {
  struct Case {
    const char* text;
    const char* message;
    const char* where;
    const char* hint;
  };
  const Case cases[] = {
      {"", "expected a condition, found the end", "character 1", "state = open"},
      {"state", "expected =, !=, <, <=, >, >=, contains or exists, found the end", "character 6",
       ""},
      {"state opne", "found \"opne\"", "character 7", ""},
      {"state =", "expected a value, found the end", "character 8", "quotes"},
      {"state = and", "", "", ""},
      {"state = = open", "expected a value, found \"=\"", "character 9", ""},
      {"= open", "expected the name of a member, found \"=\"", "character 1", ""},
      {"title = two words", "expected and, or, or the end, found \"words\"", "character 13",
       "in quotes"},
      {"(a = 1", "expected a ')' for the '(' here", "character 1", "add"},
      {"a = 1)", "expected and, or, or the end, found \")\"", "character 6", "remove"},
      {"(a = 1 b)", "expected and, or, or ')'", "character 8", ""},
      {"a = 1 and", "expected the name of a member, found the end", "character 10", ""},
      {"a = 1 && b = 2", "found \"&&\"", "character 7", "write and"},
      {"a = 1 || b = 2", "found \"||\"", "character 7", "write or"},
      {"a is null", "found \"is\"", "character 3", "= null"},
      {"a like x", "found \"like\"", "character 3", "contains"},
      {"!a = 1", "found \"!\"", "character 1", "write not"},
      {"a not = 1", "expected contains or exists, found \"=\"", "character 7", ""},
      {"a = 'open", "expected a closing '", "character 5", "close"},
      {"a..b = 1", "expected a dotted path", "character 1", "JSON Pointer"},
      {"/a~b = 1", "~0 or ~1", "character 1", ""},
      {"日本 = ' x", "expected a closing '", "character 6", ""},
  };
  for (const Case& c : cases) {
    const auto condition = parse_condition(c.text);
    if (std::string_view(c.message).empty()) {
      EXPECT_TRUE(condition) << c.text;
      continue;
    }
    ASSERT_FALSE(condition) << c.text;
    EXPECT_EQ(condition.error().code, ErrorCode::invalid_input) << c.text;
    EXPECT_THAT(condition.error().message, HasSubstr(c.message)) << c.text;
    EXPECT_THAT(condition.error().where, HasSubstr(std::string(c.where) + " of")) << c.text;
    EXPECT_THAT(condition.error().hint, HasSubstr(c.hint)) << c.text;
  }
}

TEST(Condition, is_bounded_in_length_and_depth) {
  EXPECT_EQ(parse_condition(std::string(kLongestCondition + 1, 'a')).error().code,
            ErrorCode::limit_exceeded);
  const std::string deep(1000, '(');
  EXPECT_THAT(parse_condition(deep + "a = 1" + std::string(1000, ')')).error().message,
              HasSubstr("levels of nesting"));
  std::string nots;
  for (int i = 0; i < 200; ++i) nots += "not ";
  EXPECT_FALSE(parse_condition(nots + "a = 1"));
  std::string many = "a = 1";
  for (int i = 1; i < 64; ++i) many += " or a = 1";
  EXPECT_TRUE(parse_condition(many));
  EXPECT_THAT(parse_condition(many + " or a = 1").error().message, HasSubstr("64 comparisons"));
  EXPECT_TRUE(parse_condition(std::string(60, '(') + "a = 1" + std::string(60, ')')));
}

TEST(Condition, never_breaks_on_any_text) {
  check_property("condition_any_text", property_cases(500, 20000), [] {
    static const std::vector<std::string> pieces{
        "a",      " ", "=",  "!",  "<", ">", "(", ")", "and",  "or", "not",  "contains",
        "exists", "'", "\"", "\\", ".", "/", "~", "1", "null", "日", "\xff", "\n"};
    std::string text;
    for (int i = draw_below(12); i > 0; --i) {
      text += pieces[static_cast<std::size_t>(draw_below(static_cast<int>(pieces.size())))];
      if (draw_chance(5)) text += ' ';
    }
    const auto condition = parse_condition(text);
    if (!condition) {
      RC_ASSERT(!condition.error().message.empty() && !condition.error().where.empty());
    }
  });
}

TEST(Condition, knows_the_numbers_of_json) {
  for (const char* yes : {"0", "-0", "12", "0.5", "1e9", "1E+9", "-1.25e-3"}) {
    EXPECT_TRUE(is_number_text(yes)) << yes;
  }
  for (const char* no : {"", "-", "01", "1.", ".5", "1e", "+1", "0x1", "1 ", "NaN", "2025-01-01"}) {
    EXPECT_FALSE(is_number_text(no)) << no;
  }
}

TEST(Query, reads_ranges) {
  EXPECT_EQ(answer::read_range("18..499"), (answer::Range{18, 499}));
  EXPECT_EQ(answer::read_range("18.."), (answer::Range{18, std::nullopt}));
  EXPECT_EQ(answer::read_range("..9"), (answer::Range{0, 9}));
  EXPECT_EQ(answer::read_range("7"), (answer::Range{7, 7}));
  for (const char* no :
       {"", "..", "a..b", "1...3", "-1..3", "1..2..3", "1 .. 2", "0x1", "99999999999999999999"}) {
    EXPECT_EQ(answer::read_range(no), std::nullopt) << no;
  }
}

TEST(Query, is_read_from_arguments_and_written_back) {
  struct Case {
    const char* arguments;
    Query want;
  };
  const Condition open = parse_condition("state = open").value();
  const Case cases[] = {
      {"{}", {select::At{""}, "", false}},
      {R"({"pointer":"/items/3"})", {select::At{"/items/3"}, "", false}},
      {R"({"pointer":"/content/0","raw":true})", {select::At{"/content/0"}, "", true}},
      {R"({"raw":true})", {select::Whole{}, "", false}},
      {R"({"raw":false,"stat":true})", {select::Stat{}, "", false}},
      {R"({"id":"a"})", {select::Ids{{"a"}}, "", false}},
      {R"({"id":17})", {select::Ids{{"17"}}, "", false}},
      {R"({"ids":["a",17,"/items/3..9",""]})",
       {select::Ids{{"a", "17", "/items/3..9", ""}}, "", false}},
      {R"({"range":"3..9"})", {select::Records{{3, 9}}, "", false}},
      {R"({"range":"/items/3..9"})", {select::At{"/items/3..9"}, "", false}},
      {R"({"range":"3..9","pointer":"/items"})", {select::Records{{3, 9}}, "/items", false}},
      {R"({"lines":"..9"})", {select::Lines{{1, 9}}, "", false}},
      {R"({"lines":"4.."})", {select::Lines{{4, std::nullopt}}, "", false}},
      {R"({"chars":"0..99","pointer":"/body"})", {select::Characters{{0, 99}}, "/body", false}},
      {R"({"lines":"-20.."})", {select::Lines{{-20, std::nullopt}}, "", false}},
      {R"({"chars":"-9..-1"})", {select::Characters{{-9, -1}}, "", false}},
      {R"({"range":"5..-1"})", {select::Records{{5, -1}}, "", false}},
      {R"({"range":"/items/-3..-1"})", {select::Records{{-3, -1}}, "/items", false}},
      {R"({"find":"Time Out"})", {select::Find{"Time Out"}, "", false}},
      {R"({"find":"x","context":2})", {select::Find{"x", false, 2}, "", false}},
      {R"({"regex":"a+b"})", {select::Find{"a+b", true}, "", false}},
      {R"({"find":"x","count":true})", {select::Find{"x"}, "", false, true}},
      {R"({"sql":"select 1","b":"123"})", {select::Sql{"select 1", "123"}, "", false}},
      {R"({"where":"state = open","pointer":"/items","raw":true})",
       {select::Where{"state = open", open}, "/items", true}},
  };
  for (const Case& c : cases) {
    const json::Value arguments = json::parse_own(c.arguments);
    const auto query = parse_arguments(arguments.view());
    ASSERT_TRUE(query) << c.arguments << ": " << query.error().message;
    EXPECT_EQ(*query, c.want) << c.arguments;
    const json::Value written = to_arguments(*query);
    const auto again = parse_arguments(written.view());
    ASSERT_TRUE(again) << c.arguments << ": " << json::to_text(written.view());
    EXPECT_EQ(*again, c.want) << c.arguments;
  }
}

TEST(Query, is_read_from_options_by_the_same_rules) {
  QueryOptions options;
  EXPECT_EQ(parse_query(options).value(), (Query{select::At{""}, "", false}));
  options.raw = true;
  EXPECT_EQ(parse_query(options).value(), (Query{select::Whole{}, "", false}));
  options = {};
  options.ids = {"a", "b"};
  options.pointer = "/items";
  EXPECT_EQ(parse_query(options).value(), (Query{select::Ids{{"a", "b"}}, "/items", false}));
}

TEST(Query, that_is_wrong_says_what_to_write) {
  struct Case {
    const char* arguments;
    const char* message;
    const char* hint;
  };
  const Case cases[] = {
      {"[]", "expected an object, found array", ""},
      {R"({"wher":"a = 1"})", "found \"wher\"", "did you mean where?"},
      {R"({"pointr":"/a"})", "found \"pointr\"", "did you mean pointer?"},
      {R"({"zzz":1})", has_sql() ? "expected one of sql, b, id" : "expected one of id, ids",
       "leave it out"},
      {R"({"find":"a","where":"b = 1"})", "expected one selection, found find and where", "one at"},
      {R"({"find":"a","stat":true})", "found find and stat", ""},
      {R"({"find":7})", "expected a string, found number", ""},
      {R"({"find":""})", "expected a text to look for", ""},
      {R"({"raw":"yes"})", "expected true or false, found string", ""},
      {R"({"ids":[]})", "at least one id", ""},
      {R"({"ids":[null]})", "expected a string or a number, found null", ""},
      {R"({"pointer":"items.3.id"})", "expected a JSON Pointer", "write /items/3/id"},
      {R"({"pointer":"/a~b"})", "~0 or ~1", ""},
      {R"({"range":"3-9"})", "expected a range such as 18..499, found \"3-9\"", "write 3..9"},
      {R"({"range":"9..3"})", "ends at or after its beginning", "write 3..9"},
      {R"({"range":"/items"})", "expected a range", ""},
      {R"({"range":"/items/9..3"})", "ends at or after its beginning", ""},
      {R"({"range":"/items/3..9","pointer":"/items"})", "expected one place", "leave one"},
      {R"({"lines":"0..3"})", "expected lines from 1", "the first line is 1"},
      {R"({"lines":"..0"})", "ends at or after its beginning", "write 1..1"},
      {R"({"where":"state opne"})", "expected =, !=", ""},
      {R"({"range":"-3..-5"})", "ends at or after its beginning", "write -5..-3"},
      {R"({"regex":"a("})", "expected a regular expression of RE2", "or use find"},
      {R"({"regex":""})", "expected a text to look for", ""},
      {R"({"context":3})", "expected find or regex beside context", "lines around"},
      {R"({"find":"a","context":-1})", "expected a number of lines", ""},
  };
  for (const Case& c : cases) {
    const json::Value arguments = json::parse_own(c.arguments);
    const auto query = parse_arguments(arguments.view());
    ASSERT_FALSE(query) << c.arguments;
    EXPECT_EQ(query.error().code, ErrorCode::invalid_input) << c.arguments;
    EXPECT_THAT(query.error().message, HasSubstr(c.message)) << c.arguments;
    EXPECT_THAT(query.error().hint, HasSubstr(c.hint)) << c.arguments;
  }
  QueryOptions options;
  options.find = "a";
  options.where = "b = 1";
  EXPECT_THAT(parse_query(options).error().message, HasSubstr("--find and --where"));
  options = {};
  options.find = std::string(5000, 'x');
  EXPECT_EQ(parse_query(options).error().code, ErrorCode::limit_exceeded);
}

TEST(Query, leaves_the_members_alone_that_others_read) {
  const json::Value arguments = json::parse_own(R"({"handle":"123","cursor":null,"find":"x"})");
  const std::string_view others[] = {"handle", "cursor"};
  EXPECT_EQ(parse_arguments(arguments.view(), others).value().selection,
            Selection(select::Find{"x"}));
  EXPECT_FALSE(parse_arguments(arguments.view()));
  const json::Value typo = json::parse_own(R"({"handel":"123"})");
  EXPECT_EQ(parse_arguments(typo.view(), others).error().hint, "did you mean handle?");
}

TEST(Query, any_ids_and_texts_survive_the_way_through_arguments) {
  check_property("query_round_trip", property_cases(300, 10000), [] {
    Query query;
    switch (draw_below(4)) {
      case 0: query.selection = select::Ids{{draw_text(), draw_text()}}; break;
      case 1: query.selection = select::Find{"x" + draw_text()}; break;
      case 2: query.selection = select::Records{{draw_below(50), 50 + draw_below(9)}}; break;
      default: query.selection = select::Stat{};
    }
    if (draw_chance(5)) query.within = json::Pointer({draw_text(), "3"}).str();
    query.raw_result = draw_chance(5);
    const json::Value arguments = to_arguments(query);
    RC_ASSERT(parse_arguments(arguments.view()).value() == query);
  });
}

TEST(Query, that_is_wrong_always_says_where_and_what_to_do) {
  const std::string bad(1, '\xff');
  const std::string long_text(5000, 'x');
  std::vector<Error> errors;
  for (const QueryOptions& options :
       {QueryOptions{.find = long_text}, QueryOptions{.find = bad}, QueryOptions{.find = ""},
        QueryOptions{.pointer = long_text}, QueryOptions{.ids = {bad}}, QueryOptions{.range = "x"},
        QueryOptions{.lines = "0..1"}, QueryOptions{.where = "a"}, QueryOptions{.where = bad}}) {
    const auto query = parse_query(options);
    ASSERT_FALSE(query);
    errors.push_back(query.error());
  }
  for (const char* arguments : {"[]", R"({"id":{}})", R"({"ids":[]})", R"({"ids":[true]})",
                                R"({"raw":1})", R"({"find":3})", R"({"fnd":"x"})"}) {
    const auto query = parse_arguments(json::parse_own(arguments).view());
    ASSERT_FALSE(query) << arguments;
    errors.push_back(query.error());
  }
  for (const Error& error : errors) {
    EXPECT_FALSE(error.where.empty()) << error.message;
    EXPECT_FALSE(error.hint.empty()) << error.message;
  }
}

}  // namespace
}  // namespace enfold::retrieve

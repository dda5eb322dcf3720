// SPDX-License-Identifier: Apache-2.0
// What an answer says of its whole payload must be true of the whole payload.
#include "enfold/json/pointer.h"
#include "tests/budget/answer.h"
#include "tests/budget/fact_truth.h"
#include "tests/budget/truth.h"

#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::budget {
namespace {

using enfold::testing::fit_to;
using model::Fidelity;

std::string fact(const FitResult& fitted, std::string_view section, std::string_view name) {
  if (!fitted.facts) return "no facts";
  const auto place = fitted.facts->view().find("");
  const auto found = place ? place->find(section) : std::nullopt;
  const auto value = found ? found->find(name) : std::nullopt;
  return value ? std::string(value->raw()) : "none";
}

// A list of 40 records with the given member, too large for 900 tokens.
FitResult fit_records(const std::function<std::string(int)>& member) {
  std::string text = "[";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(R"({}{{"id":"r{}","body":"{:x>200}","v":{}}})", i > 0 ? "," : "", i, i,
                        member(i));
  }
  return fit_to(json::parse_own(text + "]").view(), 900).value();
}

TEST(Facts, a_range_has_the_lowest_and_the_highest_of_all_values) {
  const auto either = [](std::string first, std::string others) {
    return [=](int i) { return i == 7 ? first : fmt::format("{}{}", others, i); };
  };
  struct Row {
    const char* name;
    std::function<std::string(int)> member;
    const char* want;
  };
  const Row rows[] = {
      {"numbers that doubles do not tell apart",
       [](int i) { return fmt::format("12345678901234567{}", 10 + i * 7 % 40); },
       "[1234567890123456710,1234567890123456749]"},
      {"a number beyond doubles", either("1e400", ""), "[0,1e400]"},
      {"a number beyond doubles below zero", either("-1e400", ""), "[-1e400,39]"},
      {"a number nearer to zero than doubles", either("-1e-400", "1"), "[-1e-400,139]"},
      {"padded numbers in strings have none", [](int i) { return fmt::format("\"{:03}\"", i); },
       "none"},
      {"numbers of several lengths in strings", [](int i) { return fmt::format("\"{}\"", 90 + i); },
       R"(["90","129"])"},
      {"numbers in strings with more and fewer decimals may be versions",
       [](int i) { return fmt::format("\"1.{}\"", i); }, "none"},
      {"dates", [](int i) { return fmt::format("\"2024-01-{:02}\"", i * 5 % 28 + 1); },
       R"(["2024-01-01","2024-01-28"])"},
      {"instants are compared as time, whatever their offset",
       [](int i) {
         return i == 5 ? "\"2024-01-01T09:30:00+02:00\""
                       : fmt::format("\"2024-01-01T0{}:{:02}:00Z\"", 8 + i % 2, i * 3 % 40);
       },
       R"(["2024-01-01T09:30:00+02:00","2024-01-01T09:39:00Z"])"},
      {"dates and times of day have none together",
       [](int i) { return fmt::format("\"2024-01-{:02}{}\"", i % 28 + 1, i == 3 ? "T10:00" : ""); },
       "none"},
      {"days that do not exist have none",
       [](int i) { return fmt::format("\"2024-02-{:02}\"", i * 3 % 30 + 1); }, "none"},
      {"days and months in an order that nobody knows",
       [](int i) { return fmt::format("\"{:02}/{:02}/20{:02}\"", i % 12 + 1, i % 7 + 1, i); },
       "none"},
      {"days before months, as one of them shows",
       [](int i) { return fmt::format("\"{:02}/{:02}/2024\"", i % 28 + 1, i % 11 + 1); },
       R"(["01/01/2024","22/11/2024"])"},
      {"days, months and hours",
       [](int i) {
         return fmt::format("\"{:02}.{:02}.2024 {:02}:30\"", i % 28 + 1, i % 5 + 1, i % 24);
       },
       R"(["01.01.2024 00:30","25.05.2024 00:30"])"},
      {"dates and a few words",
       [](int i) {
         return i % 20 == 3 ? "\"31/02/2024\"" : fmt::format("\"{:02}/03/2024\"", i % 28 + 1);
       },
       R"(["01/03/2024","28/03/2024"])"},
      {"hours before and after noon",
       [](int i) { return fmt::format("\"{:02}:15 AM\"", i * 5 % 12 + 1); }, "none"},
      {"numbers, some in strings",
       [](int i) {
         const int value = i * 7 % 41;
         return i % 4 == 1 ? fmt::format("\"-{}.5\"", value % 1) : fmt::format("{}", value);
       },
       R"(["-0.5",40])"},
      {"numbers beside a word",
       [](int i) { return i == 7 ? "\"unknown\"" : fmt::format("{}", i * 7 % 41); }, "[0,40]"},
      {"numbers beside other texts",
       [](int i) { return i == 7 ? "\"40 or 50\"" : fmt::format("{}", i * 7 % 41); }, "none"},
      {"numbers with thousands separators",
       [](int i) {
         return i % 2 == 0 ? fmt::format("{}", i) : fmt::format("\"{},250.{:02}\"", i, i);
       },
       R"([0,"39,250.39"])"},
      {"numbers with a comma that may be a decimal one",
       [](int i) { return fmt::format("\"{},250\"", i + 1); }, "none"},
      {"spelled with escapes", [](int i) { return fmt::format("\"\\u003{}{:02}\"", i % 5, i); },
       "none"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(fact(fit_records(row.member), "ranges", "v"), row.want) << row.name;
  }
}

TEST(Facts, a_series_has_a_step_and_its_breaks) {
  const auto minute = [](int i) {
    return fmt::format("\"2024-01-01T00:{:02}:00Z\"", i < 20 ? i : i + 5);
  };
  EXPECT_EQ(fact(fit_records(minute), "series", "v"),
            R"({"first":"2024-01-01T00:00:00Z","last":"2024-01-01T00:44:00Z","step_seconds":60,)"
            R"("breaks":[["2024-01-01T00:19:00Z","2024-01-01T00:25:00Z"]]})");
  const auto down = [](int i) { return std::to_string(100 - 2 * i); };
  EXPECT_EQ(fact(fit_records(down), "series", "v"), R"({"first":100,"last":22,"step":-2})");
  const auto wild = [](int i) { return std::to_string(i * i); };
  EXPECT_EQ(fact(fit_records(wild), "series", "v"), "none");
}

TEST(Facts, values_of_different_types_are_not_counted_as_one) {
  const auto alternating = [](std::string a, std::string b) {
    return [=](int i) { return i % 2 == 0 ? a : b; };
  };
  EXPECT_EQ(fact(fit_records(alternating("1", "2")), "values", "v"), R"({"1":20,"2":20})");
  EXPECT_EQ(fact(fit_records(alternating("1", "\"1\"")), "values", "v"), R"({"1":20,"\"1\"":20})");
  EXPECT_EQ(fact(fit_records(alternating("true", "\"true\"")), "values", "v"),
            R"({"true":20,"\"true\"":20})");
  EXPECT_EQ(fact(fit_records(alternating("null", "\"null\"")), "values", "v"),
            R"({"\"null\"":20,"null":20})");
  EXPECT_EQ(fact(fit_records(alternating("\"a\"", "\"\\u0061\"")), "constant", "v"), R"("a")");
}

TEST(Facts, spellings_in_other_letter_case_stand_together) {
  const auto state = [](int i) {
    return std::string(i < 20   ? "\"open\""
                       : i < 38 ? "\"done\""
                       : i < 39 ? "\"Done\""
                                : "\"OPEN\"");
  };
  EXPECT_EQ(fact(fit_records(state), "values", "v"), R"({"open":20,"OPEN":1,"done":18,"Done":1})");
}

// Facts that single out a few records say which.
TEST(Facts, few_records_are_named) {
  struct Row {
    const char* section;
    std::function<std::string(int)> member;
    const char* want;
  };
  const auto number = [](int i) { return std::to_string(i * 7 % 41 * 3); };
  const auto one_of = [](int at, std::string odd, const std::function<std::string(int)>& others) {
    return [=](int i) { return i == at ? odd : others(i); };
  };
  const auto day = [](int i) { return fmt::format("\"{:02}/03/20{:02}\"", i % 28 + 1, i); };
  const auto state = [](int i) { return std::string(i % 2 == 0 ? "\"ok\"" : "\"slow\""); };
  const auto address = [](int i) { return fmt::format("\"10.0.0.{}\"", i == 9 ? 4 : i); };
  const Row rows[] = {
      {"highest", number, R"({"r35":120,"r29":117,"r23":114})"},
      {"lowest", number, R"({"r0":0})"},
      {"lowest", one_of(5, "0", number), R"({"r0":0,"r5":0})"},
      {"highest", [](int i) { return fmt::format("{}.5", std::min(i, 30)); },
       R"({"+10 records":30.5})"},
      {"highest", day, R"({"r39":"12/03/2039"})"},
      {"no_time", one_of(3, "\"31/02/2024\"", day), R"({"31/02/2024":["r3"]})"},
      {"types_in", one_of(8, "\"12 kg\"", number), R"({"string":["r8"]})"},
      {"null_in", one_of(8, "null", number), R"(["r8"])"},
      {"values_in", one_of(8, "\"failed\"", state), R"({"failed":["r8"]})"},
      {"shared", address, R"({"10.0.0.4":["r4","r9"]})"},
      {"most_items",
       [](int i) { return i == 6 ? "[1,2,3,4,5]" : std::string(i % 2 == 0 ? "[1]" : "[]"); },
       R"({"r6":5})"},
      {"words", [](int i) { return i % 9 == 2 ? "\"never\"" : fmt::format("\"{}-x{}\"", i, i); },
       R"({"never":5})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(fact(fit_records(row.member), row.section, "v"), row.want) << row.section;
  }
}

TEST(Facts, values_of_nested_lists_count_records_and_items) {
  const auto comments = [](int i) {
    return fmt::format(R"([{{"by":"ann","at":{{"h":{{"x":"{}"}}}}}},{{"by":"ann","at":null}}{}])",
                       i % 2 == 0 ? "am" : "pm", i % 4 == 0 ? R"(,{"by":"bob"})" : "");
  };
  const FitResult fitted = fit_records(comments);
  EXPECT_EQ(fact(fitted, "values", "v/*/by"), R"({"ann":40,"bob":10})");
  EXPECT_EQ(fact(fitted, "item_values", "v/*/by"), R"({"ann":80,"bob":10})");
  EXPECT_EQ(fact(fitted, "values", "v/*/at/h/x"), R"({"am":20,"pm":20})");
  EXPECT_EQ(fact(fitted, "items", "v"), "90");
  const auto restarts = [](int i) {
    return fmt::format(R"([{{"n":{}}},{{"n":{}}}])", i % 30 * 10, i == 3 ? 500 : i);
  };
  EXPECT_EQ(fact(fit_records(restarts), "highest_total", "v/*/n"),
            R"({"r3":530,"r29":319,"r28":308})");
}

// The checker of the property tests must see every lie.
TEST(Facts, the_check_of_facts_finds_what_is_wrong) {
  const json::Value list = json::parse_own(
      R"([{"id":"a","n":3,"s":"x","t":[1,2],"d":"30/01/2026"},{"id":"b","n":9,"s":"x","t":[],"d":"13/02/2026"},)"
      R"({"id":"c","n":9,"s":null,"t":[5],"d":"31/02/2026"},{"id":"d","s":"y","t":"none","d":"01/03/2026"}])");
  const char* const truths[] = {
      R"({"highest":{"n":{"b":9,"c":9}}})",
      R"({"lowest":{"n":{"a":3}}})",
      R"({"highest":{"n":{"+2 records":9}}})",
      R"({"highest":{"d":{"d":"01/03/2026"}}})",
      R"({"values_in":{"s":{"y":["d"]}}})",
      R"({"shared":{"s":{"x":["a","b"]}}})",
      R"({"types_in":{"t":{"string":["d"]}}})",
      R"({"missing_in":{"n":["d"]}})",
      R"({"null_in":{"s":["c"]}})",
      R"({"present_in":{"n":["a","b","c"]}})",
      R"({"no_time":{"d":{"31/02/2026":["c"]}}})",
      R"({"most_items":{"t":{"a":2}}})",
      R"({"item_counts":{"t":{"a":2,"b":0,"c":1}}})",
      R"({"items":{"t":3}})",
      R"({"ranges":{"n":[3,9],"d":["30/01/2026","01/03/2026"]}})",
      R"({"sizes":{"t":[0,2]}})",
      R"({"values":{"s":{"x":2,"y":1,"null":1}}})",
      R"({"item_values":{"t/*":{"1":1}}})",
      R"({"words":{"s":{"x":2}}})",
      R"({"missing":{"n":1},"null":{"s":1}})",
      R"({"labels":{"s":{"a":"x","d":"y"}}})",
      R"({"highest_total":{"t/*":{"c":5}}})",
      R"({"repeated":{"n":{"9":2}}})",
  };
  const char* const lies[] = {
      R"({"highest":{"n":{"b":9}}})",
      R"({"lowest":{"n":{"a":2}}})",
      R"({"highest":{"n":{"+3 records":9}}})",
      R"({"highest":{"d":{"a":"30/01/2026"}}})",
      R"({"values_in":{"s":{"y":["c"]}}})",
      R"({"shared":{"s":{"x":["a"]}}})",
      R"({"types_in":{"t":{"string":["c"]}}})",
      R"({"missing_in":{"n":["a"]}})",
      R"({"null_in":{"s":["c","d"]}})",
      R"({"present_in":{"n":["a","b"]}})",
      R"({"no_time":{"d":{"01/03/2026":["d"]}}})",
      R"({"most_items":{"t":{"c":1}}})",
      R"({"item_counts":{"t":{"a":2,"c":1}}})",
      R"({"items":{"t":4}})",
      R"({"ranges":{"d":["30/01/2026","13/02/2026"]}})",
      R"({"sizes":{"t":[1,2]}})",
      R"({"values":{"s":{"x":3}}})",
      R"({"item_values":{"t/*":{"1":2}}})",
      R"({"words":{"s":{"x":1}}})",
      R"({"missing":{"n":2}})",
      R"({"null":{"s":2}})",
      R"({"highest":{"n":{"#1":9}}})",
      R"({"lowest":{"n":{"z":3}}})",
      R"({"constant":{"s":"x"}})",
      R"({"labels":{"s":{"a":"y"}}})",
      R"({"highest_total":{"t/*":{"c":5,"a":2}}})",
      R"({"repeated":{"n":{"9":3}}})",
      R"({"lowest":{"n":{"a":3,"c":9}}})",
  };
  const auto problem = [&](const char* text) {
    const json::Value facts = json::parse_own(text);
    return enfold::testing::FactCheck(facts.view(), list.view()).problem();
  };
  for (const char* text : truths) EXPECT_EQ(problem(text), "") << text;
  for (const char* text : lies) EXPECT_NE(problem(text), "") << text;
}

TEST(Facts, lines_end_with_a_line_feed_however_it_is_escaped) {
  for (const char* end : {"\\n", "\\u000a", "\\u000A"}) {
    std::string text = "\"";
    for (int i = 0; i < 500; ++i) text += fmt::format("line {} of the log{}", i, end);
    const FitResult fitted = fit_to(json::parse_own(text + '"').view(), 400).value();
    ASSERT_TRUE(fitted.facts);
    EXPECT_EQ(fitted.facts->view().find("")->find("lines")->raw(), "500") << end;
  }
}

// Lists this short are looked into, as far as one item is large.
TEST(Facts, a_list_of_few_large_records_shows_data_and_counts_its_records) {
  for (int records = 1; records <= 12; ++records) {
    std::string text = "[";
    for (int i = 0; i < records; ++i) {
      text += fmt::format(R"({}{{"id":{},"text":"{}"}})", i > 0 ? "," : "", i,
                          std::string(9'000, static_cast<char>('a' + i)));
    }
    const json::Value payload = json::parse_own(text + "]");
    for (const std::size_t budget : {400U, 1'000U, 3'000U}) {
      const FitResult fitted = fit_to(payload.view(), budget).value();
      if (fitted.fidelity == Fidelity::full) continue;
      EXPECT_EQ(fitted.fidelity, Fidelity::partial) << records << " records, " << budget;
      enfold::testing::Missing missing;
      EXPECT_TRUE(enfold::testing::is_true_cut(fitted.payload.view(), payload.view(), missing));
      EXPECT_EQ(fitted.dropped_count, missing.count) << records << " records, " << budget;
    }
  }
}

}  // namespace
}  // namespace enfold::budget

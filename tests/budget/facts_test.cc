// SPDX-License-Identifier: Apache-2.0
// What an answer says of its whole payload must be true of the whole payload.
#include "enfold/json/pointer.h"
#include "tests/budget/answer.h"
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

// A list of 40 records with the given member, too large for 700 tokens.
FitResult fit_records(const std::function<std::string(int)>& member) {
  std::string text = "[";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(R"({}{{"id":"r{}","body":"{:x>200}","v":{}}})", i > 0 ? "," : "", i, i,
                        member(i));
  }
  return fit_to(json::parse_own(text + "]").view(), 700).value();
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
      {"numbers of several lengths in strings have none",
       [](int i) { return fmt::format("\"{}\"", 90 + i); }, "none"},
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
       [](int i) { return fmt::format("\"{:02}/02/2024\"", i * 3 % 28 + 1); }, "none"},
      {"hours before and after noon",
       [](int i) { return fmt::format("\"{:02}:15 AM\"", i * 5 % 12 + 1); }, "none"},
      {"numbers, some in strings",
       [](int i) {
         const int value = i * 7 % 41;
         return i % 4 == 1 ? fmt::format("\"-{}.5\"", value % 1) : fmt::format("{}", value);
       },
       R"(["-0.5",40])"},
      {"numbers beside other texts",
       [](int i) { return i == 7 ? "\"unknown\"" : fmt::format("{}", i * 7 % 41); }, "none"},
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
  EXPECT_EQ(fact(fit_records(alternating("\"a\"", "\"\\u0061\"")), "values", "v"), R"({"a":40})");
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

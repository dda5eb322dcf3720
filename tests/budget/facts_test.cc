// SPDX-License-Identifier: Apache-2.0
// What an answer says of its whole payload must be true of the whole payload.
#include "enfold/json/pointer.h"
#include "tests/budget/truth.h"
#include "tests/budget/answer.h"

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
       [](int i) { return fmt::format("12345678901234567{}", 10 + i); },
       "[1234567890123456710,1234567890123456749]"},
      {"a number beyond doubles", either("1e400", ""), "[0,1e400]"},
      {"a number beyond doubles below zero", either("-1e400", ""), "[-1e400,39]"},
      {"a number nearer to zero than doubles", either("-1e-400", "1"), "[-1e-400,139]"},
      {"padded numbers in strings", [](int i) { return fmt::format("\"{:03}\"", i); },
       R"(["000","039"])"},
      {"numbers of several lengths in strings have none",
       [](int i) { return fmt::format("\"{}\"", 90 + i); }, "none"},
      {"dates of several lengths",
       [](int i) { return fmt::format("\"2024-01-{:02}{}\"", i % 28 + 1, i == 3 ? "T10:00" : ""); },
       R"(["2024-01-01","2024-01-28"])"},
      {"a closing quote is no part of a string",
       [](int i) { return fmt::format("\"2024-05-{}\"", i == 0 ? "17" : fmt::format("17 {}", i)); },
       R"(["2024-05-17","2024-05-17 9"])"},
      {"spelled with escapes", [](int i) { return fmt::format("\"\\u003{}{:02}\"", i % 5, i); },
       "none"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(fact(fit_records(row.member), "ranges", "v"), row.want) << row.name;
  }
}

TEST(Facts, values_of_different_types_are_not_counted_as_one) {
  const auto alternating = [](std::string a, std::string b) {
    return [=](int i) { return i % 2 == 0 ? a : b; };
  };
  EXPECT_EQ(fact(fit_records(alternating("1", "2")), "values", "v"), R"({"1":20,"2":20})");
  EXPECT_EQ(fact(fit_records(alternating("1", "\"1\"")), "values", "v"), "none");
  EXPECT_EQ(fact(fit_records(alternating("true", "\"true\"")), "values", "v"), "none");
  EXPECT_EQ(fact(fit_records(alternating("null", "\"null\"")), "values", "v"), "none");
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
      EXPECT_TRUE(
          enfold::testing::is_true_cut(fitted.payload.view(), payload.view(), missing));
      EXPECT_EQ(fitted.dropped_count, missing.count) << records << " records, " << budget;
    }
  }
}

}  // namespace
}  // namespace enfold::budget

// SPDX-License-Identifier: Apache-2.0
// An answer that a server has cut, and a gateway before it cuts again: marks and handles are true
// of what each of them got.
#include "enfold/answer/answer.h"
#include "enfold/server/testing.h"

#include <charconv>
#include <fmt/core.h>
#include <gtest/gtest.h>

namespace enfold::server {
namespace {

struct Sale {
  std::string day;
  std::string title;
  static constexpr auto fields() { return server::fields<&Sale::day, &Sale::title>(); }
};
struct SalesReport {
  double revenue = 0;
  std::vector<Sale> sales;
  static constexpr auto fields() {
    return server::fields<&SalesReport::revenue, &SalesReport::sales>();
  }
};

constexpr std::size_t kSales = 3'000;

// The MCP result of a server that cuts to 4,000 tokens.
TestAnswer cut_by_server() {
  Server server("shop", "1.0.0");
  server.tool("sales_report", "All sales", [] {
    SalesReport report{.revenue = 7.5, .sales = {}};
    for (std::size_t i = 0; i < kSales; ++i) {
      report.sales.push_back({fmt::format("2026-10-{:02}", i / 108 + 1), fmt::format("T{}", i)});
    }
    return report;
  });
  return Tester(std::move(server)).budget(4'000).call("sales_report");
}

// Rows of the list, and those that its marks count.
std::size_t rows_and_marks(json::View list) {
  std::size_t count = 0;
  for (const json::View item : list.items()) {
    if (!item.is_string()) {
      ++count;
      continue;
    }
    const std::string text = item.string().substr(std::string_view("…[+").size());
    std::size_t marked = 0;
    std::from_chars(text.data(), text.data() + text.size(), marked);
    count += marked;
  }
  return count;
}

TEST(CutTwice, answers_have_true_marks_and_name_both_archives) {
  const TestAnswer first = cut_by_server();
  ASSERT_FALSE(first.handle().empty()) << first.text();
  const std::size_t received = rows_and_marks(*first.data()->find("sales"));
  ASSERT_LT(received, kSales) << "its schema allows no marks";
  for (const std::size_t budget : {600U, 1'000U, 2'000U}) {
    SCOPED_TRACE(budget);
    answer::AnswerPlan plan;
    plan.fit.budget.tokens = budget;
    plan.tool.id = "sales_report";
    answer::BeginResult begun = answer::begin(first.result, plan, answer::Duration(0));
    auto* prepared = std::get_if<answer::PreparedAnswer>(&begun);
    ASSERT_NE(prepared, nullptr);
    const answer::ShapedAnswer cut =
        answer::finish(*prepared, answer::Receipt{"111111111111", "sha256:0123"}, plan);
    const json::Value result = json::parse_own(cut.result.str());
    const json::View envelope = *result->find("structuredContent");
    const auto sales = json::Pointer::parse("/data/sales")->resolve(envelope);
    ASSERT_TRUE(sales.has_value()) << cut.result.str();
    EXPECT_EQ(rows_and_marks(*sales), received) << cut.result.str();
    const json::View warnings = *envelope.find("meta")->find("warnings");
    ASSERT_EQ(warnings.size(), 2U) << json::to_text(warnings);
    EXPECT_NE(warnings.item(0)->string().find("111111111111"), std::string::npos)
        << json::to_text(warnings);
    EXPECT_NE(warnings.item(1)->string().find(first.handle()), std::string::npos)
        << json::to_text(warnings);
  }
}

}  // namespace
}  // namespace enfold::server

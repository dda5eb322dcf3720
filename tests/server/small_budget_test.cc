// SPDX-License-Identifier: Apache-2.0
// A call whose handler ran is answered with its outcome, however small the budget is.
#include "enfold/contract/contract.h"
#include "enfold/server/testing.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace enfold::server {
namespace {

struct Import {
  int books = 0;
  static constexpr auto fields() { return server::fields<&Import::books>(); }
};

struct Imported {
  int stored = 0;
  int refused = 0;
  std::vector<std::string> ids;
  static constexpr auto fields() {
    return server::fields<&Imported::stored, &Imported::refused, &Imported::ids>();
  }
};

// Stores one book and refuses the others, each with a warning.
Imported import_books(const Import& asked, Context& context) {
  Imported imported{.stored = 1, .refused = asked.books - 1, .ids = {"b-2001"}};
  for (int i = 1; i < asked.books; ++i) {
    context.warn("BOOK_REFUSED", fmt::format("No price: T{}", i));
    context.mark_partial();
  }
  return imported;
}

Text speak(const NoArguments& /*none*/, Context& context) {
  for (int i = 0; i < 200; ++i) {
    context.warn(fmt::format("W{}", i), fmt::format("A warning of some length number {}", i));
  }
  context.say("said");
  return {"hello"};
}

Server small_server() {
  Server server("small", "1.0.0");
  server.tool("import_books", "Adds books", import_books);
  server.tool("speak", "Says hello", speak);
  return server;
}

TEST(SmallBudgets, never_make_a_failure_of_a_call_whose_handler_succeeded) {
  Tester tester(small_server());
  for (const char* client : {"tester", "claude-code", "codex-mcp-client"}) {
    for (const char* contract : {"response-v2", "response-v1", "generic", "scalpel-v1", "memory"}) {
      tester.as(client).contract(contract);
      for (const std::size_t budget : {128U, 129U, 140U, 160U, 180U, 200U, 240U, 300U, 500U}) {
        SCOPED_TRACE(fmt::format("{} {} {}", client, contract, budget));
        tester.budget(budget);
        for (const int books : {1, 2, 12, 200}) {
          const TestAnswer answer =
              tester.call("import_books", fmt::format(R"({{"books":{}}})", books));
          EXPECT_TRUE(answer.ok()) << answer.message();
          EXPECT_EQ(answer.schema_problem,
                    contract == std::string("response-v2") ? "" : answer.schema_problem);
        }
        const TestAnswer spoken = tester.call("speak");
        EXPECT_TRUE(spoken.ok()) << spoken.message() << spoken.text();
      }
    }
  }
}

// What enfold_fetch returns for the call that a cut answer advises, and the arguments of that call.
TestAnswer take_advice(Tester& tester, const TestAnswer& cut) {
  const std::string text = cut.text();
  const std::size_t begin = text.find("enfold_fetch {");
  if (begin == std::string::npos) return {};
  std::string arguments = text.substr(begin + 13, text.find('}', begin) - begin - 12);
  std::erase(arguments, '\\');
  return tester.call("enfold_fetch", arguments);
}

TEST(SmallBudgets, drop_warnings_that_the_advised_call_returns) {
  Tester tester(small_server());
  const TestAnswer cut = tester.budget(450).call("import_books", R"({"books":29})");
  EXPECT_EQ(cut.at("/refused"), "28") << cut.text();
  EXPECT_NE(cut.text().find(" of 28 warnings not shown. enfold_fetch"), std::string::npos)
      << cut.text();
  const TestAnswer fetched = take_advice(tester.budget(4'000), cut);
  EXPECT_NE(fetched.text().find("No price: T28"), std::string::npos) << fetched.text();
}

TEST(SmallBudgets, keep_the_reason_of_a_partial_answer) {
  Server server = small_server();
  Tester* clock = nullptr;
  server
      .tool("import_slowly", "Adds books",
            [&](const Import& asked, Context& context) {
              const Imported imported = import_books(asked, context);
              context.keep(imported);
              clock->advance(std::chrono::seconds(5));
              return imported;
            })
      .slow(std::chrono::seconds(3));
  Tester tester(std::move(server));
  clock = &tester;
  const TestAnswer cut = tester.budget(450).call("import_slowly", R"({"books":29})");
  EXPECT_EQ(cut.at("/refused"), "28") << cut.text();
  EXPECT_NE(cut.text().find("The tool ran out of time"), std::string::npos) << cut.text();
}

struct Sale {
  std::string day;
  double price = 0;
  static constexpr auto fields() { return server::fields<&Sale::day, &Sale::price>(); }
};
struct SalesReport {
  double revenue = 0;
  std::vector<Sale> sales;
  static constexpr auto fields() {
    return server::fields<&SalesReport::revenue, &SalesReport::sales>();
  }
};

TEST(SmallBudgets, name_the_only_list_that_was_shortened_and_its_length) {
  Server server = small_server();
  server.tool("sales_report", "All sales", [] {
    SalesReport report{.revenue = 7.5, .sales = {}};
    for (int i = 0; i < 3'000; ++i) {
      report.sales.push_back({fmt::format("2026-10-{:02}", i / 108 + 1), 1.25 + i * 13 % 9});
    }
    return report;
  });
  Tester tester(std::move(server));
  for (const std::size_t budget : {400U, 1'000U, 4'000U}) {
    SCOPED_TRACE(budget);
    const TestAnswer cut = tester.budget(budget).call("sales_report");
    EXPECT_NE(cut.text().find(R"("total_count":3000)"), std::string::npos) << cut.text();
    EXPECT_NE(cut.text().find(" of 3000 sales not shown"), std::string::npos) << cut.text();
  }
}

struct Year {
  int year = 0;
  double sales = 0;
  std::string best;
  static constexpr auto fields() {
    return server::fields<&Year::year, &Year::sales, &Year::best>();
  }
};
struct Years {
  std::vector<Year> years;
  static constexpr auto fields() { return server::fields<&Years::years>(); }
};

// The output schema has no room for marks, so the dropped ranges must say what is missing.
TEST(SmallBudgets, drops_only_what_is_not_shown_of_a_typed_list) {
  Server server("report", "1");
  server.tool("sales", "Sales by year", [] {
    Years all;
    for (int i = 0; i < 100; ++i) {
      all.years.push_back({1900 + i, i * i % 37 * 10.5, fmt::format("Book {}", i * 7 % 13)});
    }
    all.years[12].sales = 1e6;
    all.years[40].best = "A single one";
    all.years[71].sales = -3;
    return all;
  });
  Tester tester(std::move(server));
  std::size_t cut = 0;
  for (std::size_t budget = 300; budget <= 3'000; budget += 50) {
    SCOPED_TRACE(budget);
    const TestAnswer answer = tester.budget(budget).call("sales");
    EXPECT_EQ(answer.schema_problem, "");
    if (!answer.response.reduction) continue;
    ++cut;
    std::set<int> missing;
    for (const std::string& place : answer.response.reduction->dropped_ids) {
      int first = 0;
      int last = 0;
      const int read = std::sscanf(place.c_str(), "/years/%d..%d", &first, &last);
      ASSERT_GE(read, 1) << place;
      for (int i = first; i <= (read == 2 ? last : first); ++i) missing.insert(i);
    }
    std::size_t shown = 0;
    for (const json::View year : answer.data()->find("years").value_or(json::View()).items()) {
      const int position = static_cast<int>(*year.find("year")->integer()) - 1900;
      EXPECT_FALSE(missing.contains(position)) << position;
      ++shown;
    }
    EXPECT_EQ(shown + missing.size(), 100U);
  }
  EXPECT_GT(cut, 10U);
}

}  // namespace
}  // namespace enfold::server

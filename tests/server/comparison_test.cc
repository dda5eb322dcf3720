// SPDX-License-Identifier: Apache-2.0
// The Enfold version of the tool in docs/guide/sdk-comparison.md does what the page says.
#include "enfold/server/testing.h"
#include "examples/comparison/search_books.h"

#include <gtest/gtest.h>

namespace comparison {

// 120 books; each fourth is a novel, the others are poetry.
std::vector<Book> Index::scan(int part, const std::string& query,
                              const std::optional<std::string>& genre) const {
  std::vector<Book> found;
  for (int i = part * 30; i < part * 30 + 30; ++i) {
    Book book{std::to_string(i), "Book number " + std::to_string(i), 1900};
    const std::string of = i % 4 == 0 ? "novel" : "poetry";
    if (book.title.find(query) != std::string::npos && genre.value_or(of) == of) {
      found.push_back(std::move(book));
    }
  }
  return found;
}

namespace {

TEST(Comparison, the_tool_pages_and_reports_progress) {
  const Index index;
  server::Tester tester(make_server(index));
  const server::TestAnswer first = tester.call("search_books", R"({"query":"Book"})");
  ASSERT_TRUE(first.ok()) << first.message();
  EXPECT_EQ(first.schema_problem, "");
  EXPECT_EQ(first.at("/items/19/id"), R"("19")");
  EXPECT_EQ(first.at("/items/20"), "");
  EXPECT_EQ(first.progress, (std::vector<double>{1, 2, 3, 4}));
  ASSERT_TRUE(first.cursor());
  const server::TestAnswer second =
      tester.call("search_books", R"({"query":"Book","cursor":")" + *first.cursor() + R"("})");
  EXPECT_EQ(second.at("/items/0/id"), R"("20")");
}

TEST(Comparison, a_page_follows_the_budget) {
  const Index index;
  server::Tester tester(make_server(index));
  tester.budget(400);
  std::string cursor;
  std::size_t rows = 0;
  for (int page = 0; page < 120; ++page) {
    const server::TestAnswer answer =
        tester.call("search_books", R"({"query":"Book","limit":50)" + cursor + "}");
    ASSERT_TRUE(answer.ok()) << answer.message();
    std::size_t here = 0;
    while (!answer.at("/items/" + std::to_string(here)).empty()) ++here;
    EXPECT_LT(here, 50U);
    rows += here;
    if (!answer.cursor()) break;
    cursor = R"(,"cursor":")" + *answer.cursor() + '"';
  }
  EXPECT_EQ(rows, 120U);
}

TEST(Comparison, the_tool_refuses_what_does_not_fit) {
  const Index index;
  server::Tester tester(make_server(index));
  EXPECT_EQ(tester.call("search_books", R"({"query":""})").code(), "VALIDATION_ERROR");
  EXPECT_EQ(tester.call("search_books", R"({"query":"x","limit":51})").code(), "VALIDATION_ERROR");
  EXPECT_EQ(tester.call("search_books", R"({"query":"x","limit":0})").code(), "VALIDATION_ERROR");
  const server::TestAnswer genre = tester.call("search_books", R"({"query":"x","genre":"opera"})");
  EXPECT_EQ(genre.code(), "UNKNOWN_GENRE");
  EXPECT_EQ(genre.at("/known_genres"), R"(["novel","poetry"])");
}

TEST(Comparison, the_tool_warns_and_stops) {
  const Index index(true);
  server::Tester tester(make_server(index));
  const server::TestAnswer stale = tester.call("search_books", R"({"query":"Book"})");
  ASSERT_FALSE(stale.response.warnings.empty());
  EXPECT_EQ(stale.response.warnings.front().code, "STALE_INDEX");
  const std::int64_t call = tester.start("search_books", R"({"query":"Book"})");
  tester.cancel(call);
  EXPECT_TRUE(tester.finish(call).progress.empty());
}

}  // namespace
}  // namespace comparison

// SPDX-License-Identifier: Apache-2.0
#include "shop.h"

#include "enfold/server/testing.h"

#include <gtest/gtest.h>

TEST(Bookshop, finds_books_and_continues_lists) {
  Shop shop;
  server::Tester tester(make_server(shop));
  EXPECT_EQ(tester.call("get_book", R"({"id":"b-1"})").at("/title"), R"("Dune")");
  EXPECT_EQ(tester.call("get_book", R"({"id":"b-9"})").code(), "NOT_FOUND");
  EXPECT_EQ(tester.read("shop://about").text(), "Books since 1998");
  const server::TestAnswer first = tester.call("search", R"({"words":"","limit":2})");
  ASSERT_TRUE(first.cursor().has_value());
  const server::TestAnswer second =
      tester.call("search", R"({"words":"","limit":2,"cursor":")" + *first.cursor() + "\"}");
  EXPECT_EQ(second.at("/items/0/id"), R"("b-3")");
  EXPECT_FALSE(second.cursor().has_value());
}

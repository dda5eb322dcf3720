// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/pointer.h"

#include "enfold/json/write.h"

#include <gtest/gtest.h>

namespace enfold::json {
namespace {

TEST(Pointer, resolves_the_examples_of_its_rfc) {
  const Value document = parse_own(
      R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
  struct Case {
    const char* pointer;
    const char* want;
  };
  const Case cases[] = {{"/foo", "[\"bar\",\"baz\"]"},
                        {"/foo/0", "\"bar\""},
                        {"/", "0"},
                        {"/a~1b", "1"},
                        {"/c%d", "2"},
                        {"/e^f", "3"},
                        {"/g|h", "4"},
                        {"/i\\j", "5"},
                        {"/k\"l", "6"},
                        {"/ ", "7"},
                        {"/m~0n", "8"},
                        {"#/c%25d", "2"},
                        {"#/m~0n", "8"}};
  for (const Case& c : cases) {
    const auto pointer = Pointer::parse(c.pointer);
    ASSERT_TRUE(pointer) << c.pointer;
    const auto found = pointer->resolve(document.view());
    ASSERT_TRUE(found) << c.pointer;
    EXPECT_EQ(to_text(*found), c.want);
  }
  EXPECT_FALSE(Pointer::parse("/foo/2")->resolve(document.view()));
  EXPECT_FALSE(Pointer::parse("/foo/00")->resolve(document.view()));
  EXPECT_FALSE(Pointer::parse("/foo/-")->resolve(document.view()));
  EXPECT_FALSE(Pointer::parse("foo"));
  EXPECT_FALSE(Pointer::parse("/a~2"));
}

TEST(Pointer, has_no_item_behind_the_largest_number) {
  const json::Document document = *json::parse("[1,2]");
  for (const char* index : {"/2", "/18446744073709551615", "/18446744073709551616", "/-1", "/00"}) {
    EXPECT_FALSE(json::Pointer::parse(index)->resolve(document.root())) << index;
  }
}

TEST(Diff, is_undone_by_apply) {
  const Value a = parse_own(R"({"a":1,"b":{"x":[1,2,{"q":1}]},"c":[1,2],"~/":0})");
  const Value b = parse_own(R"({"a":1.0,"b":{"x":[1,2,{"q":2,"r":null}]},"c":[1],"d":{},"~/":1})");
  const auto changes = diff(a.view(), b.view());
  EXPECT_EQ(changes.size(), 6U);
  EXPECT_EQ(apply(a.view(), changes), b);
  EXPECT_TRUE(diff(b.view(), b.view()).empty());
}

}  // namespace
}  // namespace enfold::json

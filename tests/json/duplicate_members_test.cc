// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/duplicate_members.h"

#include <ctime>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::json {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(HiddenMembers, are_those_before_the_last_of_a_name) {
  EXPECT_THAT(shadowed_members(parse_own(R"({"a":1,"b":2,"a":3,"\u0061":4})").view()),
              ElementsAre(0, 2));
  EXPECT_THAT(shadowed_members(parse_own(R"({"a":1,"b":2})").view()), IsEmpty());
  EXPECT_THAT(shadowed_members(parse_own("[1,1]").view()), IsEmpty());
  EXPECT_THAT(shadowed_members(View()), IsEmpty());
}

TEST(HiddenMembers, have_a_token_that_no_member_has) {
  const Value object = parse_own(R"({"a":1,"0..0":2,"a":3,"00..0":4})");
  const MemberTokens tokens(object.view());
  std::vector<std::string> all;
  std::size_t position = 0;
  for (const Member& member : object->members()) {
    all.push_back(tokens.token(member.key, position++));
  }
  EXPECT_THAT(all, ElementsAre("000..0", "0..0", "a", "00..0"));
}

double seconds_of_parsing(const std::string& text) {
  const std::clock_t begin = std::clock();
  EXPECT_TRUE(parse(text));
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// 550,000 of them took 160 ms: they were sorted.
TEST(DuplicateKeys, cost_little_more_than_the_same_bytes_without_them) {
  std::string repeated = "{";
  std::string list = "[";
  for (int i = 0; i < 1'000'000; ++i) {
    repeated += R"("a":1,)";
    list += R"("a",1,)";
  }
  repeated += R"("b":1})";
  list += "1]";
  EXPECT_LT(seconds_of_parsing(repeated), 8 * seconds_of_parsing(list) + 0.02);
  EXPECT_EQ(parse(repeated)->oddities().duplicate_key_count, 999'999U);
}

// Each search looked at all members.
TEST(DuplicateKeys, do_not_make_the_search_for_a_missing_key_slow) {
  std::string text = R"({"\u0062":2)";
  for (int i = 0; i < 1'000'000; ++i) text += R"(,"a":1)";
  const Document document = *parse(text + "}");
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(document.root().find("progressToken"));
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 50);
  EXPECT_TRUE(document.root().find("b")) << "a key with an escape is no missing key";
}

}  // namespace
}  // namespace enfold::json

// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/duplicate_members.h"

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

}  // namespace
}  // namespace enfold::json

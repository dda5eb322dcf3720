// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"

#include <gtest/gtest.h>
#include <vector>

namespace enfold {
namespace {

const std::vector<std::string> kNames{"convert", "validate", "response-v2", "id", "order_by"};

TEST(NearestName, is_what_was_probably_meant) {
  struct Case {
    const char* typed;
    const char* want;
  };
  for (const auto& [typed, want] : std::vector<Case>{{"convrt", "convert"},
                                                     {"vaildate", "validate"},
                                                     {"CONVERT", "convert"},
                                                     {"orderBy", "order_by"},
                                                     {"response", "response-v2"},
                                                     {"re", ""},
                                                     {"di", "id"},
                                                     {"frobnicate", ""},
                                                     {"", ""}}) {
    EXPECT_EQ(nearest_name(typed, kNames), want) << typed;
  }
}

TEST(NearestName, does_not_look_at_very_long_names) {
  const std::string long_name(65, 'a');
  EXPECT_EQ(nearest_name(long_name, std::vector<std::string>{long_name}), "");
  EXPECT_EQ(nearest_name("aaa", std::vector<std::string>{long_name}), "");
}

TEST(DidYouMean, asks_or_says_what_else_helps) {
  EXPECT_EQ(did_you_mean("convrt", kNames, "see the list"), "did you mean convert?");
  EXPECT_EQ(did_you_mean("x", kNames, "see the list"), "see the list");
}

}  // namespace
}  // namespace enfold

// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/opened_answers.h"

#include <gtest/gtest.h>

namespace enfold::tools {
namespace {

TEST(OpenedAnswers, keeps_those_that_were_asked_last_within_its_bytes) {
  OpenedAnswers kept(100);
  const retrieve::OpenedAnswerPtr answer = *retrieve::open_answer(R"([{"id":1}])", {});
  kept.add("a", answer, 40);
  kept.add("b", answer, 40);
  EXPECT_TRUE(kept.find("a"));
  kept.add("c", answer, 40);
  EXPECT_FALSE(kept.find("b")) << "it was asked before the others";
  EXPECT_TRUE(kept.find("a"));
  kept.add("large", answer, 101);
  EXPECT_FALSE(kept.find("large"));
  EXPECT_TRUE(kept.find("c"));
}

TEST(OpenedAnswers, drops_those_that_were_not_asked_for_a_whole_period) {
  OpenedAnswers kept(100);
  const retrieve::OpenedAnswerPtr answer = *retrieve::open_answer(R"([{"id":1}])", {});
  kept.add("a", answer, 40);
  kept.add("b", answer, 40);
  kept.drop_unused();
  EXPECT_TRUE(kept.find("a")) << "it was added in the period that just ended";
  kept.drop_unused();
  EXPECT_TRUE(kept.find("a"));
  EXPECT_FALSE(kept.find("b"));
}

}  // namespace
}  // namespace enfold::tools

// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/fair_lane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace enfold::tools {
namespace {

using ::testing::ElementsAre;

class FairLaneTest : public ::testing::Test {
 protected:
  bool enter(const std::string& principal, const std::string& name) {
    return lane.enter(principal, [this, name] { started.push_back(name); });
  }
  FairLane lane{{.running = 3, .running_per_principal = 2, .waiting_per_principal = 4}};
  std::vector<std::string> started;
};

TEST_F(FairLaneTest, lets_no_principal_take_the_places_of_others) {
  for (const char* name : {"a1", "a2", "a3", "a4"}) EXPECT_TRUE(enter("ann", name));
  EXPECT_THAT(started, ElementsAre("a1", "a2"));
  EXPECT_TRUE(enter("ben", "b1"));
  EXPECT_THAT(started, ElementsAre("a1", "a2", "b1")) << "it does not wait behind ann";
  EXPECT_TRUE(enter("cem", "c1"));
  lane.leave("ann");
  EXPECT_THAT(started, ElementsAre("a1", "a2", "b1", "a3")) << "who came first is first";
  lane.leave("ben");
  EXPECT_THAT(started, ElementsAre("a1", "a2", "b1", "a3", "c1")) << "ann has two already";
}

TEST_F(FairLaneTest, refuses_what_would_wait_too_long) {
  for (const char* name : {"1", "2", "3", "4", "5", "6"}) EXPECT_TRUE(enter("ann", name));
  EXPECT_FALSE(enter("ann", "7"));
  EXPECT_TRUE(enter("ben", "b")) << "it is ann who waits too long";
  for (int i = 0; i < 6; ++i) lane.leave("ann");
  EXPECT_THAT(started, ElementsAre("1", "2", "b", "3", "4", "5", "6"));
}

TEST(FairLane, lets_principals_take_turns) {
  FairLane lane({.running = 1, .running_per_principal = 1, .waiting_per_principal = 4});
  std::vector<std::string> started;
  const auto enter = [&](const std::string& principal, const std::string& name) {
    EXPECT_TRUE(lane.enter(principal, [&started, name] { started.push_back(name); }));
  };
  for (const char* name : {"a1", "a2", "a3", "a4"}) enter("ann", name);
  for (const char* name : {"b1", "b2"}) enter("ben", name);
  for (const char* last : {"ann", "ann", "ben", "ann", "ben"}) lane.leave(last);
  EXPECT_THAT(started, ElementsAre("a1", "a2", "b1", "a3", "b2", "a4"));
}

}  // namespace
}  // namespace enfold::tools

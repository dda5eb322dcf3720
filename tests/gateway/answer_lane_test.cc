// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/answer_lane.h"

#include "enfold/serve/loop_host.h"
#include "tests/net/running_loop.h"

#include <gtest/gtest.h>
#include <latch>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

struct Lane {
  Lane() { settings.answers.workers = 1; }
  std::vector<std::shared_ptr<void>> reserve_all(const std::string& tool, std::size_t most) {
    std::vector<std::shared_ptr<void>> rooms;
    while (rooms.size() < most) {
      std::shared_ptr<void> room = lane().reserve("ada", tool);
      if (!room) break;
      rooms.push_back(std::move(room));
    }
    return rooms;
  }
  AnswerLane& lane() {
    if (!made) made.emplace(environment);
    return *made;
  }

  net::RunningLoop loop;
  serve::LoopHost host{*loop, 1, 256};
  Settings settings;
  Environment environment{*loop, host, settings};
  std::optional<AnswerLane> made;
};

TEST(AnswerLane, reserves_for_open_calls_what_answers_of_their_tool_held) {
  Lane lane;
  EXPECT_EQ(lane.reserve_all("1/small", 1000).size(), 1000U);
  lane.lane().record("1/large", 16 * kMiB);
  {
    const auto rooms = lane.reserve_all("1/large", 1000);
    EXPECT_EQ(rooms.size(), 8U) << "a quarter of 512 MiB";
    EXPECT_EQ(lane.lane().reserve("ada", "1/small"), nullptr);
    EXPECT_NE(lane.lane().reserve("bob", "1/small"), nullptr);
  }
  EXPECT_EQ(lane.reserve_all("1/large", 1000).size(), 8U) << "the places are free again";
}

TEST(AnswerLane, forgets_a_long_answer_after_many_short_ones) {
  Lane lane;
  lane.lane().record("1/tool", 64 * kMiB);
  for (int i = 0; i < 50; ++i) lane.lane().record("1/tool", 100);
  EXPECT_EQ(lane.reserve_all("1/tool", 1000).size(), 1000U);
}

TEST(AnswerLane, refuses_questions_of_a_principal_with_many_that_wait) {
  Lane lane;
  std::latch gate(1);
  std::size_t done = 0;
  const auto run = [&] {
    lane.lane().run("ada", 0, [&] { return gate.wait(), 1; }, [&](int) { ++done; });
  };
  run();
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(lane.lane().may_read_archive("ada"));
    run();
  }
  EXPECT_FALSE(lane.lane().may_read_archive("ada"));
  EXPECT_TRUE(lane.lane().may_read_archive("bob"));
  gate.count_down();
  EXPECT_TRUE(lane.loop.until([&] { return done == 101; }));
  EXPECT_TRUE(lane.lane().may_read_archive("ada"));
}

}  // namespace
}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Two gateways on one Redis: what one has answered, the other knows, whoever is killed.
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "tests/serve_command/serving.h"
#include "tests/store/redis_server.h"

#include <gmock/gmock.h>
#include <iostream>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

constexpr const char* kKey = "anna-0123456789abcdef";
constexpr const char* kOther = "ben-0123456789abcdef";

std::string handle_in(const Heard& heard) {
  const std::string hashes = heard.at("/structuredContent/meta/content_archive_hashes");
  return hashes.size() > 14 ? hashes.substr(2, 12) : "";
}

class Replicas : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(redis.start(), ""); }

  std::string config(const std::string& more = "") const {
    return fmt::format(
        "archive = \"{}\"\n{}[listen]\naddress = \"127.0.0.1:0\"\n[principals.anna]\nkey_sha256 = "
        "\"{}\"\n[principals.ben]\nkey_sha256 = \"{}\"\n{}",
        redis.url(), more, to_hex(sha256(kKey)), to_hex(sha256(kOther)), upstream_table("files"));
  }
  std::unique_ptr<Voice> voice(const Serving& serving, const char* key = kKey) {
    auto made = serving.voice(loop);
    made->key = key;
    return made;
  }
  static std::string rows_of(const std::string& handle) {
    return fmt::format(R"({{"handle":"{}","pointer":"/rows"}})", handle);
  }

  store::testing::RedisServer redis{store::testing::RedisServer::Keeps::nothing};
  net::RunningLoop loop;
};

TEST_F(Replicas, open_the_handles_and_cursors_of_each_other) {
  Serving one(config());
  Serving two(config());
  const std::string handle = handle_in(voice(one)->result(large_answer()));
  ASSERT_EQ(handle.size(), 12U);
  const Heard first = voice(one)->call("enfold_fetch", rows_of(handle));
  const Heard same = voice(two)->call("enfold_fetch", rows_of(handle));
  EXPECT_EQ(same.at("/isError"), "false");
  EXPECT_EQ(same.at("/structuredContent/data"), first.at("/structuredContent/data"));
  const std::string cursor =
      fmt::format(R"({{"cursor":{}}})", first.at("/structuredContent/meta/pagination/cursor"));
  const Heard next = voice(two)->call("enfold_fetch", cursor);
  EXPECT_EQ(next.at("/isError"), "false") << next.body.substr(0, 500);
  EXPECT_EQ(next.at("/structuredContent/data"),
            voice(one)->call("enfold_fetch", cursor).at("/structuredContent/data"));
  EXPECT_THAT(voice(two, kOther)->call("enfold_fetch", rows_of(handle)).body,
              HasSubstr("NOT_FOUND"));
  EXPECT_THAT(voice(two, kOther)->call("enfold_fetch", cursor).body, HasSubstr("INVALID_FORMAT"));
}

// 600 calls at each at the same time; the bucket holds 500 and is not refilled meanwhile, so that
// each refuses some, however slow the other is.
TEST_F(Replicas, share_a_limit_within_2_percent) {
  constexpr int kBurst = 500;
  constexpr int kCallsEach = 600;
  constexpr std::size_t kAtOnce = 8;
  const std::string limit = fmt::format("rate_limit = {{ per_minute = 1, burst = {} }}\n", kBurst);
  Serving one(config(limit));
  Serving two(config(limit));
  struct Side {
    std::unique_ptr<Voice> voice;
    std::vector<std::unique_ptr<Voice::Sent>> under_way{};
    int begun = 0;
    int allowed = 0;
    int refused = 0;
  };
  std::array<Side, 2> sides{Side{voice(one)}, Side{voice(two)}};
  const auto go_on = [&](Side& side) {
    std::erase_if(side.under_way, [&](const auto& sent) {
      if (!sent->heard) return false;
      EXPECT_EQ(sent->heard->status, 200);
      const bool failed = sent->heard->at("/isError") == "true";
      failed ? ++side.refused : ++side.allowed;
      return true;
    });
    for (; side.begun < kCallsEach && side.under_way.size() < kAtOnce; ++side.begun) {
      side.under_way.push_back(side.voice->send_call("echo"));
    }
    return side.under_way.empty();
  };
  const auto all_done = [&] {
    const bool first = go_on(sides[0]);
    return go_on(sides[1]) && first;
  };
  while (!loop.until(all_done)) ASSERT_FALSE(HasFailure());
  const int allowed = sides[0].allowed + sides[1].allowed;
  std::cout << "[ replicas ] allowed " << sides[0].allowed << " + " << sides[1].allowed << " of "
            << kBurst << "\n";
  EXPECT_EQ(allowed + sides[0].refused + sides[1].refused, 2 * kCallsEach);
  EXPECT_GE(allowed, kBurst * 98 / 100);
  EXPECT_LE(allowed, kBurst * 102 / 100);
  EXPECT_GT(sides[0].refused, 0);
  EXPECT_GT(sides[1].refused, 0);
  EXPECT_EQ(voice(two, kOther)->call("echo").at("/isError"), "false") << "another principal";
}

TEST_F(Replicas, lose_nothing_that_was_answered_when_one_is_killed) {
  constexpr std::size_t kAnsweredByEach = 50;
  constexpr std::size_t kAtOnce = 8;
  Serving one(config());
  Serving two(config());
  std::vector<std::pair<std::string, std::string>> answered;  // handle, word
  for (Serving* const dies : {&one, &two}) {
    Serving& lives = dies == &one ? two : one;
    const auto doomed = voice(*dies);
    std::vector<std::pair<std::unique_ptr<Voice::Sent>, std::string>> open;
    const auto collect = [&] {
      std::erase_if(open, [&](const auto& each) {
        const std::optional<Heard>& heard = each.first->heard;
        if (heard && heard->status == 200) answered.emplace_back(handle_in(*heard), each.second);
        return heard.has_value();
      });
    };
    std::size_t begun = 0;
    const std::size_t enough = answered.size() + kAnsweredByEach;
    ASSERT_TRUE(loop.until([&] {
      collect();
      for (; open.size() < kAtOnce; ++begun) {
        const std::string word = fmt::format("{}x{}", dies == &one ? 1 : 2, begun);
        const std::string raw = json::quote(large_answer(1000, word));
        open.emplace_back(doomed->send_call("result", fmt::format(R"({{"raw":{}}})", raw)), word);
      }
      return answered.size() >= enough;
    }));
    dies->kill();  // in the midst of the others
    ASSERT_TRUE(loop.until([&] {
      collect();
      return open.empty();
    }));
    for (const auto& [handle, said] : answered) {
      const Heard whole = voice(lives)->call("enfold_fetch", rows_of(handle));
      EXPECT_EQ(whole.at("/isError"), "false") << handle;
      EXPECT_THAT(whole.at("/structuredContent/data"), HasSubstr(said + " number 0 of many"));
    }
    dies->start();
    EXPECT_EQ(voice(*dies)->call("enfold_fetch", rows_of(answered.front().first)).at("/isError"),
              "false");
  }
  std::cout << "[ replicas ] " << answered.size() << " handles outlived two kills\n";
  EXPECT_GE(answered.size(), 2 * kAnsweredByEach);
}

// The store is down at the start and comes later: calls that need none are not touched, others are
// counted by each process for itself, and archived as soon as it is there.
TEST(ReplicaStart, does_not_need_redis) {
  store::testing::RedisServer redis(store::testing::RedisServer::Keeps::nothing);
  const std::string config = fmt::format(
      "archive = \"{}\"\nrate_limit = {{ per_minute = 1, burst = 3 }}\n[listen]\naddress = "
      "\"127.0.0.1:0\"\n{}",
      redis.url(), upstream_table("files"));
  Serving serving(config);
  EXPECT_THAT(serving.lines(), ::testing::Contains(HasSubstr("event=archive_unavailable")));
  net::RunningLoop loop;
  const auto voice = serving.voice(loop);
  int allowed = 0;
  for (int i = 0; i < 5; ++i) allowed += voice->call("echo").at("/isError") == "false" ? 1 : 0;
  EXPECT_EQ(allowed, 3);
  EXPECT_THAT(serving.wait_for_line("rate_limits_unavailable"), HasSubstr("Redis"));
  const Heard kept = voice->result(large_answer());
  EXPECT_EQ(kept.at("/isError"), "false");
  EXPECT_THAT(kept.body, HasSubstr("ARCHIVE_VOLATILE"));
  EXPECT_THAT(serving.wait_for_line("event=archive_unavailable"), HasSubstr("Redis"));
  ASSERT_EQ(redis.start(), "");
  EXPECT_EQ(handle_in(voice->result(large_answer())).size(), 12U);
  EXPECT_THAT(serving.wait_for_line("event=archive_available"), HasSubstr("info"));
}

TEST(ReplicaStart, refuses_limited_calls_without_redis_if_the_limits_fail_closed) {
  const store::testing::RedisServer redis(store::testing::RedisServer::Keeps::nothing);
  Serving serving(
      fmt::format("archive = \"{}\"\nrate_limit_failure_mode = \"closed\"\nrate_limit = {{ "
                  "per_minute = 1, burst "
                  "= 3 }}\n[listen]\naddress = \"127.0.0.1:0\"\n{}",
                  redis.url(), upstream_table("files")));
  net::RunningLoop loop;
  EXPECT_THAT(serving.voice(loop)->call("echo").body,
              HasSubstr("The rate limit cannot be checked"));
}

TEST(ServeStart, keeps_originals_in_memory_if_the_archive_cannot_be_written) {
  Serving serving(
      fmt::format("archive = \"/proc/no/such/archive.db\"\n[listen]\naddress = \"127.0.0.1:0\"\n{}",
                  upstream_table("files")));
  EXPECT_THAT(serving.lines(), ::testing::Contains(::testing::AllOf(
                                   HasSubstr("event=archive_in_memory"),
                                   HasSubstr("/proc/no/such/archive.db"), HasSubstr("--archive"))));
  net::RunningLoop loop;
  const auto voice = serving.voice(loop);
  const std::string handle = handle_in(voice->result(large_answer()));
  const std::string fetch = fmt::format(R"({{"handle":"{}"}})", handle);
  EXPECT_EQ(voice->call("enfold_fetch", fetch).at("/isError"), "false");
}

}  // namespace
}  // namespace enfold::gateway

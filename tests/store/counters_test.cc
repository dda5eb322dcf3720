// SPDX-License-Identifier: Apache-2.0
// The contract of the counters, for every store.
#include "enfold/store/counters.h"

#include "tests/store/stores.h"
#include "tests/support/cases.h"

#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace enfold::store::testing {
namespace {

using namespace std::chrono_literals;
using CountersOf = EveryStore;
INSTANTIATE_TEST_SUITE_P(Store, CountersOf, kEveryKind, kind_of_test);

constexpr Instant kStart{std::chrono::seconds(1'800'000'000)};
constexpr BucketKey kKey{"ann", "list"};

TEST_P(CountersOf, a_bucket_starts_full_and_is_refilled_by_time) {
  const auto counters = store.open_counters();
  const RateLimit limit{.per_minute = 60, .burst = 3};
  EXPECT_EQ(counters->take(kKey, limit, kStart), (RateDecision{true, 2, 0s, 1s}));
  EXPECT_EQ(counters->take(kKey, limit, kStart), (RateDecision{true, 1, 0s, 2s}));
  EXPECT_EQ(counters->take(kKey, limit, kStart), (RateDecision{true, 0, 0s, 3s}));
  EXPECT_EQ(counters->take(kKey, limit, kStart), (RateDecision{false, 0, 1s, 3s}));
  EXPECT_EQ(counters->take(kKey, limit, kStart + 999ms), (RateDecision{false, 0, 1ms, 2001ms}));
  EXPECT_EQ(counters->take(kKey, limit, kStart + 1s), (RateDecision{true, 0, 0s, 3s}));
  EXPECT_EQ(counters->take(kKey, limit, kStart + 1h), (RateDecision{true, 2, 0s, 1s}));
}

TEST_P(CountersOf, a_refused_call_takes_nothing) {
  const auto counters = store.open_counters();
  const RateLimit limit{.per_minute = 60, .burst = 1};
  ASSERT_TRUE(counters->take(kKey, limit, kStart)->allowed);
  for (int i = 0; i < 50; ++i) ASSERT_FALSE(counters->take(kKey, limit, kStart + 500ms)->allowed);
  EXPECT_TRUE(counters->take(kKey, limit, kStart + 1s)->allowed);
}

TEST_P(CountersOf, principals_and_tools_have_buckets_of_their_own) {
  const auto counters = store.open_counters();
  const RateLimit limit{.per_minute = 1, .burst = 1};
  for (const BucketKey& key : {BucketKey{"a", "bc"}, BucketKey{"ab", "c"}, BucketKey{"a", "b"},
                               BucketKey{"", "abc"}, BucketKey{"abc", ""}}) {
    EXPECT_TRUE(counters->take(key, limit, kStart)->allowed);
    EXPECT_FALSE(counters->take(key, limit, kStart)->allowed);
  }
}

TEST_P(CountersOf, no_limit_allows_everything) {
  const auto counters = store.open_counters();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(counters->take(kKey, {.per_minute = 0}, kStart), (RateDecision{true, -1, 0s, 0s}));
  }
}

TEST_P(CountersOf, extreme_limits_are_kept_within_bounds) {
  const auto counters = store.open_counters();
  const std::uint32_t most = ~std::uint32_t{0};
  EXPECT_EQ(counters->take({"p", "1"}, {1, most}, kStart)->remaining, kMostBurst - 1);
  EXPECT_EQ(counters->take({"p", "2"}, {most, most}, kStart)->remaining, kMostBurst - 1);
  EXPECT_EQ(counters->take({"p", "3"}, {1, 0}, kStart), (RateDecision{true, 0, 0s, 60s}));
  EXPECT_EQ(counters->take({"p", "3"}, {1, 0}, kStart), (RateDecision{false, 0, 60s, 60s}));
}

TEST_P(CountersOf, a_clock_that_jumps_back_costs_at_most_one_bucket) {
  const auto counters = store.open_counters();
  const RateLimit limit{.per_minute = 60, .burst = 2};
  ASSERT_TRUE(counters->take(kKey, limit, kStart)->allowed);
  const auto refused = counters->take(kKey, limit, kStart - 24h);
  EXPECT_FALSE(refused->allowed);
  EXPECT_EQ(refused->retry_in, 1s);
  EXPECT_TRUE(counters->take(kKey, limit, kStart - 24h + 1s)->allowed);
}

TEST_P(CountersOf, a_lowered_limit_takes_effect_at_once) {
  const auto counters = store.open_counters();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(counters->take(kKey, {.per_minute = 60, .burst = 100}, kStart)->allowed);
  }
  const auto refused = counters->take(kKey, {.per_minute = 60, .burst = 2}, kStart);
  EXPECT_FALSE(refused->allowed);
  EXPECT_LE(refused->reset_in, 2s);
}

TEST_P(CountersOf, all_openings_count_together) {
  if (!store.is_shared()) return;
  const auto one = store.open_counters(), two = store.open_counters();
  const RateLimit limit{.per_minute = 1, .burst = 5};
  int allowed = 0;
  for (int i = 0; i < 10; ++i) {
    allowed += (i % 2 == 0 ? one : two)->take(kKey, limit, kStart)->allowed ? 1 : 0;
  }
  EXPECT_EQ(allowed, 5);
}

TEST_P(CountersOf, threads_together_get_no_more_than_the_burst) {
  const auto counters = store.open_counters();
  std::atomic<int> allowed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const auto taken = counters->take(kKey, {.per_minute = 1, .burst = 77}, kStart);
        if (taken && taken->allowed) ++allowed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allowed, 77);
}

TEST_P(CountersOf, processes_together_get_no_more_than_the_burst) {
  if (!store.is_shared()) return;
  std::vector<pid_t> children;
  for (int c = 0; c < 3; ++c) {
    const pid_t child = fork();
    if (child == 0) {
      int allowed = 0;
      auto counters = open_counters(store.place());
      for (int i = 0; counters && i < 40; ++i) {
        const auto taken = (*counters)->take(kKey, {.per_minute = 1, .burst = 77}, kStart);
        if (taken && taken->allowed) ++allowed;
      }
      _exit(allowed);
    }
    children.push_back(child);
  }
  int allowed = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    allowed += WEXITSTATUS(status);
  }
  EXPECT_EQ(allowed, 77);
}

TEST_P(CountersOf, many_buckets_that_are_full_again_are_forgotten_without_a_trace) {
  const auto counters = store.open_counters();
  const RateLimit limit{.per_minute = 60, .burst = 2};
  ASSERT_TRUE(counters->take(kKey, {.per_minute = 1, .burst = 1}, kStart)->allowed);
  for (int i = 0; i < 2100; ++i) {
    const std::string tool = std::to_string(i);
    ASSERT_EQ(counters->take({"ann", tool}, limit, kStart + i * 1ms)->remaining, 1);
  }
  EXPECT_FALSE(counters->take(kKey, {.per_minute = 1, .burst = 1}, kStart + 5s)->allowed);
}

/// A token bucket as the books have it, in floating point.
struct PlainBucket {
  double tokens;
  Instant last;
  bool take(RateLimit limit, Instant now) {
    const double seconds = std::chrono::duration<double>(now - last).count();
    tokens = std::min<double>(limit.burst, tokens + seconds * limit.per_minute / 60.0);
    last = now;
    if (tokens < 1.0 - 1e-4) return false;
    tokens -= 1.0;
    return true;
  }
};

TEST_P(CountersOf, agree_with_a_plain_token_bucket) {
  const auto counters = store.open_counters();
  int round = 0;
  enfold::testing::check_property(
      "store/token_bucket/" + name_of(store.kind()), enfold::testing::property_cases(40, 2000),
      [&] {
        // Rates whose interval is a whole number of microseconds, so that both are exact.
        const RateLimit limit{*rc::gen::element<std::uint32_t>(1, 6, 10, 60, 120, 600),
                              *rc::gen::inRange<std::uint32_t>(1, 12)};
        const std::string tool = std::to_string(++round);
        PlainBucket plain{static_cast<double>(limit.burst), kStart};
        Instant now = kStart;
        for (const int step : *rc::gen::container<std::vector<int>>(20, rc::gen::inRange(0, 30))) {
          now += step * 100ms;
          const auto taken = counters->take({"ann", tool}, limit, now);
          RC_ASSERT(taken.has_value());
          RC_ASSERT(taken->allowed == plain.take(limit, now));
          RC_ASSERT(taken->remaining == static_cast<int>(std::floor(plain.tokens + 1e-4)));
          if (!taken->allowed) {
            const double wait = (1.0 - plain.tokens) * 60.0 / limit.per_minute;
            RC_ASSERT(std::abs(std::chrono::duration<double>(taken->retry_in).count() - wait) <
                      1e-2);
          }
        }
      });
}

}  // namespace
}  // namespace enfold::store::testing

// SPDX-License-Identifier: Apache-2.0
// A Redis server that is slow, stopped, gone, full or demoted: callers do not wait for it, and it
// is used again as soon as it can be.
#include "enfold/store/stores.h"
#include "tests/store/slow_proxy.h"
#include "tests/store/stores.h"

#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <iostream>
#include <poll.h>
#include <string>
#include <thread>
#include <vector>

namespace enfold::store::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr RateLimit kWide{.per_minute = 6'000'000, .burst = 100'000};
// What a call may take when nobody has to be waited for, on a busy machine.
constexpr auto kAtOnce = 100ms;

template <class Call>
Clock::duration time_of(const Call& call) {
  const auto began = Clock::now();
  call();
  return Clock::now() - began;
}

Time now() { return std::chrono::floor<std::chrono::seconds>(detail::system_time()); }

/// True as soon as `is_true` is; false: not within ten seconds.
template <class Condition>
bool comes_true(const Condition& is_true) {
  const auto deadline = Clock::now() + 10s;
  while (!is_true()) {
    if (Clock::now() > deadline) return false;
    poll(nullptr, 0, 5);
  }
  return true;
}

struct Stores {
  explicit Stores(const std::string& url, std::chrono::milliseconds timeout = kServerTimeout)
      : archive(redis_archive(url, {.server_timeout = timeout}).value()),
        counters(redis_counters(url, timeout).value()) {}

  [[nodiscard]] bool can_put() const { return archive->put("ann", "x", {}, now()).has_value(); }
  [[nodiscard]] bool can_take() const {
    return counters->take({"ann", "t"}, kWide, detail::system_time()).has_value();
  }
  [[nodiscard]] bool can_be_used() const { return can_put() && can_take(); }

  std::unique_ptr<Archive> archive;
  std::unique_ptr<Counters> counters;
};

class RedisOutage : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(server.start(), ""); }
  RedisServer server{RedisServer::Keeps::nothing};
};

// 5,000 calls a second with a round trip of 2.5 ms: the calls share connection and round trips.
TEST_F(RedisOutage, callers_do_not_wait_for_each_others_round_trips) {
  const SlowProxy proxy(server.socket(), 2500us);
  const auto counters = redis_counters(proxy.url(), 5s).value();
  constexpr int kClients = 64;
  constexpr int kCalls = 40;
  std::atomic<int> failed = 0;
  auto fastest = Clock::duration::max();
  for (int round = 0; round < 5; ++round) {
    fastest = std::min(fastest, time_of([&] {
                         std::vector<std::thread> clients;
                         for (int client = 0; client < kClients; ++client) {
                           clients.emplace_back([&, name = std::to_string(client)] {
                             for (int i = 0; i < kCalls; ++i) {
                               if (!counters->take({name, "t"}, kWide, detail::system_time()))
                                 ++failed;
                             }
                           });
                         }
                         for (std::thread& client : clients) client.join();
                       }));
  }
  const double per_second = kClients * kCalls / std::chrono::duration<double>(fastest).count();
  std::cout << "[ limits ] " << std::lround(per_second) << " calls/s\n";
  EXPECT_EQ(failed, 0);
  EXPECT_GE(per_second, 5000.0);
}

TEST_F(RedisOutage, a_caller_need_not_wait_for_a_decision) {
  const auto counters = redis_counters(server.url(), kPatient.server_timeout).value();
  const RateLimit limit{.per_minute = 1, .burst = 3};
  std::atomic<int> answered = 0;
  std::atomic<int> allowed = 0;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(counters->take_later({"ann", "t"}, limit, detail::system_time(),
                                     [&](const Result<RateDecision>& taken) {
                                       if (taken && taken->allowed) ++allowed;
                                       ++answered;
                                     }));
  }
  EXPECT_TRUE(comes_true([&] { return answered == 10; }));
  EXPECT_EQ(allowed, 3);
}

TEST_F(RedisOutage, of_a_stopped_server_only_the_first_callers_wait) {
  Stores stores(server.url());
  ASSERT_TRUE(stores.can_be_used());
  server.stop();
  EXPECT_LT(time_of([&] { EXPECT_FALSE(stores.can_take()); }), kServerTimeout + kAtOnce);
  EXPECT_LT(time_of([&] { EXPECT_FALSE(stores.can_put()); }), kServerTimeout + kAtOnce);
  EXPECT_LT(time_of([&] { EXPECT_FALSE(stores.archive->statistics()); }), kServerTimeout + kAtOnce);
  EXPECT_LT(time_of([&] {
              for (int i = 0; i < 1000; ++i) EXPECT_FALSE(stores.can_take());
              for (int i = 0; i < 1000; ++i) EXPECT_FALSE(stores.can_put());
              EXPECT_FALSE(stores.archive->statistics());
            }),
            kServerTimeout);
  EXPECT_GE(stores.counters->health().failures, 1001U);
  EXPECT_GE(stores.archive->health().failures, 1001U);
  EXPECT_FALSE(stores.archive->health().is_up);
  EXPECT_NE(stores.archive->health().problem.find("no answer within 250 ms"), std::string::npos);
  server.resume();
  EXPECT_TRUE(comes_true([&] { return stores.can_be_used(); }));
  EXPECT_TRUE(stores.archive->health().is_up);
  EXPECT_TRUE(stores.counters->health().is_up);
}

TEST_F(RedisOutage, of_a_slow_server_only_the_first_callers_wait) {
  const SlowProxy proxy(server.socket(), 500ms);
  Stores stores(proxy.url(), 100ms);
  EXPECT_LT(time_of([&] {
              for (int i = 0; i < 1000; ++i) EXPECT_FALSE(stores.can_be_used());
            }),
            kServerTimeout);
}

TEST_F(RedisOutage, a_killed_server_is_noticed_counted_and_used_again) {
  Stores stores(server.url());
  ASSERT_TRUE(stores.can_be_used());
  EXPECT_TRUE(stores.archive->health().is_up);
  EXPECT_EQ(stores.archive->health().failures, 0U);
  server.kill();
  EXPECT_LT(time_of([&] {
              EXPECT_FALSE(stores.can_put());
              EXPECT_FALSE(stores.can_take());
            }),
            kServerTimeout);
  EXPECT_EQ(stores.archive->health().failures, 1U);
  EXPECT_EQ(stores.counters->health().failures, 1U);
  EXPECT_FALSE(stores.archive->health().is_up);
  EXPECT_NE(stores.archive->health().problem, "");
  ASSERT_EQ(server.start(), "");
  EXPECT_TRUE(comes_true([&] { return stores.can_be_used(); }));
  EXPECT_TRUE(stores.archive->health().is_up);
  EXPECT_EQ(stores.archive->health().problem, "");
}

TEST(RedisStart, a_server_that_is_down_is_used_when_it_is_there) {
  RedisServer server(RedisServer::Keeps::nothing);
  Stores stores(server.url(), kPatient.server_timeout);
  EXPECT_FALSE(stores.archive->health().is_up);
  EXPECT_FALSE(stores.can_put());
  EXPECT_FALSE(stores.can_take());
  ASSERT_EQ(server.start(), "");
  EXPECT_TRUE(stores.can_be_used());
}

TEST_F(RedisOutage, a_full_server_refuses_at_once_and_reads_on) {
  Stores stores(server.url(), kPatient.server_timeout);
  const auto before = stores.archive->put("ann", "before", {}, now());
  server.tell({"CONFIG", "SET", "maxmemory", "1"});
  EXPECT_EQ(stores.archive->put("ann", "x", {}, now()).error().code, ErrorCode::unavailable);
  EXPECT_EQ(stores.counters->take({"ann", "t"}, kWide, detail::system_time()).error().code,
            ErrorCode::unavailable);
  EXPECT_FALSE(stores.counters->health().is_up);
  EXPECT_EQ(stores.archive->get("ann", before->handle, now()), "before");
  server.tell({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_TRUE(stores.can_be_used());
}

TEST_F(RedisOutage, after_a_failover_the_address_is_connected_to_again) {
  RedisServer primary(RedisServer::Keeps::nothing);
  ASSERT_EQ(primary.start(), "");
  SlowProxy proxy(server.socket(), 0us);
  Stores stores(proxy.url(), kPatient.server_timeout);
  ASSERT_TRUE(stores.can_be_used());
  server.tell({"REPLICAOF", "127.0.0.1", "1"});
  const auto refused = stores.archive->put("ann", "y", {}, now());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("READONLY"), std::string::npos);
  proxy.lead_to(primary.socket());
  EXPECT_TRUE(comes_true([&] { return stores.can_be_used(); }));
  const int connections = proxy.connections();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(stores.can_be_used());
  EXPECT_EQ(proxy.connections(), connections);
}

TEST_F(RedisOutage, a_server_that_stays_demoted_is_not_connected_to_for_every_call) {
  const SlowProxy proxy(server.socket(), 0us);
  Stores stores(proxy.url(), kPatient.server_timeout);
  server.tell({"REPLICAOF", "127.0.0.1", "1"});
  const auto took = time_of([&] {
    for (int i = 0; i < 2000; ++i) EXPECT_FALSE(stores.can_take());
  });
  EXPECT_LE(proxy.connections(), 4 + took / 100ms);
}

// Replicas whose clocks differ by minutes share the limit that the operator set.
TEST_F(RedisOutage, the_clock_of_the_server_counts_for_limits) {
  const RateLimit limit{.per_minute = 1, .burst = 3};
  for (const auto error : {0min, 2min, -2min, 8 * 24 * 60min}) {
    static std::chrono::minutes wrong_by;
    wrong_by = error;
    const detail::WallClock wrong = [] { return detail::system_time() + wrong_by; };
    const auto counters =
        detail::redis_counters(server.url(), kPatient.server_timeout, wrong).value();
    server.tell({"FLUSHALL"});
    const auto right = redis_counters(server.url(), kPatient.server_timeout).value();
    int allowed = 0;
    for (int i = 0; i < 5; ++i) {
      allowed += counters->take({"ann", "t"}, limit, wrong())->allowed ? 1 : 0;
      allowed += right->take({"ann", "t"}, limit, detail::system_time())->allowed ? 1 : 0;
    }
    EXPECT_EQ(allowed, 3) << error.count() << " minutes";
  }
}

TEST(RedisStart, a_server_that_may_evict_handles_is_told_of_at_once) {
  RedisServer server(RedisServer::Keeps::every_write,
                     {"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
  ASSERT_EQ(server.start(), "");
  const auto archive = redis_archive(server.url(), kPatient).value();
  ASSERT_EQ(archive->health().warnings.size(), 1U);
  EXPECT_NE(archive->health().warnings[0].find("maxmemory-policy"), std::string::npos);
}

TEST_F(RedisOutage, expired_entries_are_removed_in_many_short_steps) {
  const auto archive = redis_archive(server.url(), kPatient).value();
  constexpr std::size_t kEntries = 2000;
  for (std::size_t i = 0; i < kEntries; ++i) {
    ASSERT_TRUE(archive->put("ann", std::to_string(i), {}, at(0)));
  }
  server.tell({"CONFIG", "RESETSTAT"});
  EXPECT_EQ(archive->expire(at(10'000'000)), kEntries);
  const std::string stats = server.tell({"INFO", "commandstats"});
  const std::size_t found = stats.find("cmdstat_evalsha:calls=");
  ASSERT_NE(found, std::string::npos) << stats;
  EXPECT_GE(std::stoul(stats.substr(found + 22)), kEntries / detail::kExpiredPerStep);
}

}  // namespace
}  // namespace enfold::store::testing

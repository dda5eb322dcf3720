// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/loop.h"

#include "tests/net/running_loop.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <vector>

namespace enfold::net {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Pair {
  Pair() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    ours.reset(ends[0]);
    theirs.reset(ends[1]);
  }
  FileDescriptor ours;
  FileDescriptor theirs;
};

TEST(Callback, owns_what_it_captures_and_is_moved_not_copied) {
  auto shared = std::make_shared<int>(7);
  std::array<char, 100> large{};
  large[99] = 'z';
  Callback<int(int)> small = [shared](int add) { return *shared + add; };
  Callback<char()> big = [large, shared] { return large[99]; };
  EXPECT_EQ(shared.use_count(), 3);
  Callback<int(int)> moved = std::move(small);
  EXPECT_FALSE(small);  // NOLINT: what is left is empty, and that is promised
  EXPECT_EQ(moved(1), 8);
  EXPECT_EQ(big(), 'z');
  moved = nullptr;
  big = nullptr;
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Loop, runs_posted_tasks_of_all_threads_each_once_and_in_the_order_of_each) {
  RunningLoop loop;
  constexpr int kThreads = 4;
  constexpr int kTasks = 2000;
  std::vector<std::vector<int>> seen(kThreads);
  std::vector<std::thread> threads;
  int ran = 0;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTasks; ++i)
        loop->post([&, t, i] {
          seen[static_cast<std::size_t>(t)].push_back(i);
          ++ran;
        });
    });
  EXPECT_TRUE(loop.until([&] { return ran == kThreads * kTasks; }));
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<int>& one : seen)
    for (int i = 0; i < kTasks; ++i) ASSERT_EQ(one[static_cast<std::size_t>(i)], i);
}

TEST(Loop, is_stopped_from_another_thread_while_it_sleeps) {
  RunningLoop loop;
  std::thread other([&] { loop->post([&] { loop->stop(); }); });
  loop->run();
  other.join();
  loop->stop();
  loop->run();  // a stop that came before ends it at once
}

TEST(Loop, deferred_tasks_run_after_the_events_of_the_turn_and_may_defer_more) {
  RunningLoop loop;
  std::vector<int> order;
  loop->post([&] {
    loop->defer([&] {
      order.push_back(2);
      loop->defer([&] { order.push_back(3); });
    });
    order.push_back(1);
  });
  EXPECT_TRUE(loop.until([&] { return order.size() == 3; }));
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(Timer, fires_in_the_order_of_time_and_once) {
  RunningLoop loop;
  std::vector<int> order;
  Timer late(*loop, [&] { order.push_back(3); });
  Timer early(*loop, [&] { order.push_back(1); });
  Timer middle(*loop, [&] { order.push_back(2); });
  late.set_after(hours(3));
  early.set_after(hours(1));
  middle.set_after(hours(2));
  loop->advance(hours(2));
  loop.settle();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_FALSE(early.is_set());
  EXPECT_TRUE(late.is_set());
  loop->advance(hours(1));
  loop.settle();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(Timer, can_be_moved_cancelled_and_destroyed) {
  RunningLoop loop;
  int fired = 0;
  Timer moved(*loop, [&] { ++fired; });
  moved.set_after(seconds(10));
  moved.set_after(seconds(100));
  auto gone = std::make_unique<Timer>(*loop, [&] { fired += 100; });
  gone->set_after(seconds(5));
  gone.reset();
  Timer cancelled(*loop, [&] { fired += 1000; });
  cancelled.set_after(seconds(5));
  cancelled.cancel();
  loop->advance(seconds(50));
  loop.settle();
  EXPECT_EQ(fired, 0);
  moved.set_after(seconds(1));  // nearer than before
  loop->advance(seconds(2));
  loop.settle();
  EXPECT_EQ(fired, 1);
  loop->advance(hours(1));
  loop.settle();
  EXPECT_EQ(fired, 1);
}

TEST(Timer, that_sets_itself_to_now_does_not_keep_others_from_their_turn) {
  RunningLoop loop;
  int fired = 0;
  Timer again(*loop, [&] {
    ++fired;
    again.set_after(Duration::zero());
  });
  again.set_after(Duration::zero());
  for (int i = 0; i < 10; ++i) loop->turn(Duration::zero());
  EXPECT_GE(fired, 5);
  EXPECT_LE(fired, 10);
}

TEST(Timer, thousands_fire_in_order_whatever_the_order_of_setting) {
  RunningLoop loop;
  std::vector<int> order;
  std::vector<std::unique_ptr<Timer>> timers;
  for (int i = 0; i < 3000; ++i) {
    const int at = (i * 7919) % 3000;
    timers.push_back(std::make_unique<Timer>(*loop, [&order, at] { order.push_back(at); }));
    timers.back()->set_at(loop->now() + seconds(at));
  }
  for (int i = 0; i < 3000; i += 3) timers[static_cast<std::size_t>(i)].reset();
  loop->advance(hours(1));
  loop.settle();
  EXPECT_EQ(order.size(), 2000U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Timer, really_waits) {
  RunningLoop loop;
  bool fired = false;
  Timer timer(*loop, [&] { fired = true; });
  const auto begin = std::chrono::steady_clock::now();
  timer.set_after(milliseconds(20));
  ASSERT_TRUE(loop.until([&] { return fired; }));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(19));
}

TEST(Watch, tells_readiness_and_nothing_after_removal) {
  RunningLoop loop;
  Pair pair;
  int input = 0;
  Watch watch;
  ASSERT_TRUE(watch.add(*loop, pair.ours.get(), [&](Readiness ready) { input += ready.input; }));
  loop.settle();
  EXPECT_EQ(input, 0);
  ASSERT_EQ(::write(pair.theirs.get(), "x", 1), 1);
  EXPECT_TRUE(loop.until([&] { return input == 1; }));
  watch.remove();
  ASSERT_EQ(::write(pair.theirs.get(), "x", 1), 1);
  loop.settle();
  EXPECT_EQ(input, 1);
}

TEST(Watch, an_event_for_a_watch_that_an_earlier_event_removed_is_dropped) {
  RunningLoop loop;
  Pair one;
  Pair two;
  std::optional<Watch> first(std::in_place);
  std::optional<Watch> second(std::in_place);
  int calls = 0;
  const auto remove_both = [&](Readiness ready) {
    if (!ready.input) return;
    ++calls;
    first.reset();
    second.reset();
  };
  ASSERT_TRUE(first->add(*loop, one.ours.get(), remove_both));
  ASSERT_TRUE(second->add(*loop, two.ours.get(), remove_both));
  loop.settle();
  ASSERT_EQ(::write(one.theirs.get(), "x", 1), 1);
  ASSERT_EQ(::write(two.theirs.get(), "x", 1), 1);
  EXPECT_TRUE(loop.until([&] { return calls > 0; }));
  loop.settle();
  EXPECT_EQ(calls, 1);
}

TEST(Signals, come_as_calls_on_the_loop_and_former_handlers_come_back) {
  RunningLoop loop;
  std::vector<int> seen;
  {
    auto signals =
        Signals::catch_all(*loop, {SIGUSR1, SIGUSR2}, [&](int signal) { seen.push_back(signal); });
    ASSERT_TRUE(signals);
    const auto second = Signals::catch_all(*loop, {SIGUSR1}, [](int) {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::conflict);
    ::raise(SIGUSR2);
    EXPECT_TRUE(loop.until([&] { return seen.size() == 1; }));
    std::thread other([] { ::raise(SIGUSR1); });  // hits a thread that knows nothing of loops
    EXPECT_TRUE(loop.until([&] { return seen.size() == 2; }));
    other.join();
  }
  EXPECT_EQ(seen, (std::vector<int>{SIGUSR2, SIGUSR1}));
  struct sigaction now{};
  ASSERT_EQ(::sigaction(SIGUSR1, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
  const auto bad = Signals::catch_all(*loop, {SIGKILL}, [](int) {});
  EXPECT_FALSE(bad);
}

}  // namespace
}  // namespace enfold::net

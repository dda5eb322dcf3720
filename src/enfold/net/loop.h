// SPDX-License-Identifier: Apache-2.0
// The event loop: one thread that waits for descriptors, timers and tasks of other threads, and
// calls back. Everything in this module belongs to the thread that runs its loop; only post() and
// stop() may be called from elsewhere.
//
// Watch and Timer are registrations. They live where their owner puts them, stay at their address,
// and are gone when they are destroyed: no callback comes afterwards, not even in the same turn.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/callback.h"
#include "enfold/net/file_descriptor.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace enfold::net {

using Duration = std::chrono::steady_clock::duration;
using TimePoint = std::chrono::steady_clock::time_point;

class Watch;
class Timer;

class Loop {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Loop>> create();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  /// Until stop(). A stop() that came before ends it at once.
  void run();
  /// Waits for something to do, at most so long, and does it.
  void turn(Duration at_most);

  void stop();            ///< from any thread
  void post(Task task);   ///< from any thread; tasks run in the order they came
  void defer(Task task);  ///< runs at the end of this turn, when no caller is on the stack

  /// When this turn began. One look at the clock serves all that happens in it.
  [[nodiscard]] TimePoint now() const { return now_; }
  /// As if so much time had passed: how tests get past a minute without waiting for it.
  void advance(Duration by);

  /// Where a read may put its bytes for as long as its callback lasts: idle connections hold no
  /// buffer of their own.
  [[nodiscard]] std::span<char> scratch() { return {scratch_.get(), kScratch}; }

 private:
  friend class Watch;
  friend class Timer;

  struct Slot {
    Watch* watch = nullptr;
    std::uint32_t generation = 0;
  };
  struct Due {
    TimePoint at;
    Timer* timer;
  };
  static constexpr std::size_t kScratch = std::size_t{64} << 10;

  Loop();
  [[nodiscard]] Status open();
  [[nodiscard]] int wait_milliseconds(Duration at_most) const;
  void dispatch(std::uint64_t key, std::uint32_t events);
  void run_posted();
  void run_due_timers();
  void run_woken();
  void run_deferred();
  [[nodiscard]] Watch* find(std::uint64_t key) const;

  // The timers are a heap by time; each knows its place in it.
  void place(std::size_t at, Due due);
  void sift_up(std::size_t at);
  void sift_down(std::size_t at);
  void insert(Timer& timer, TimePoint at);
  void remove(std::size_t at);

  FileDescriptor epoll_;
  FileDescriptor wakeup_;
  TimePoint now_;
  Duration skew_{};
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint64_t> woken_;
  std::vector<std::uint64_t> waking_;
  std::vector<Due> timers_;
  std::vector<Task> deferred_;
  std::vector<Task> running_;
  std::unique_ptr<char[]> scratch_;

  std::mutex posted_mutex_;
  std::vector<Task> posted_;
  std::atomic<bool> stopping_ = false;
};

/// What a watched descriptor is ready for.
struct Readiness {
  bool input = false;
  bool output = false;
  bool hang_up = false;  ///< the peer sends no more; bytes may still wait to be read
  bool broken = false;   ///< an error waits on the descriptor, or nobody holds the other end
};

/// One descriptor in one loop. Readiness is told once, when it begins (edge-triggered): read and
/// write until the system says that it would block, or call wake() to come back later.
class Watch {
 public:
  using Handler = Callback<void(Readiness)>;

  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { remove(); }

  /// What cannot be waited for (a file on disk) counts as always ready.
  [[nodiscard]] Status add(Loop& loop, int descriptor, Handler handler);
  void remove();
  /// Calls the handler at the end of this turn, with no readiness set.
  void wake();
  [[nodiscard]] bool is_always_ready() const { return always_ready_; }

 private:
  friend class Loop;
  Loop* loop_ = nullptr;
  Handler handler_;
  int descriptor_ = -1;
  std::uint32_t slot_ = 0;
  bool woken_ = false;
  bool always_ready_ = false;
};

/// One moment in the future, which may be moved or called off at any time. Moving it further away
/// costs nothing, so that a deadline may be renewed with every byte.
class Timer {
 public:
  Timer(Loop& loop, Task on_due) : loop_(loop), on_due_(std::move(on_due)) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer();

  void set_at(TimePoint at);
  void set_after(Duration wait) { set_at(loop_.now() + wait); }
  void cancel() { due_ = kNever; }
  [[nodiscard]] bool is_set() const { return due_ != kNever; }

 private:
  friend class Loop;
  static constexpr TimePoint kNever = TimePoint::max();
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  Loop& loop_;
  Task on_due_;
  TimePoint due_ = kNever;
  std::size_t place_ = kNowhere;  ///< in the loop's heap, perhaps under an earlier time than due_
};

}  // namespace enfold::net

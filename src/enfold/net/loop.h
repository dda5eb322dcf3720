// SPDX-License-Identifier: Apache-2.0
// The event loop: one thread that waits for descriptors, timers, signals and tasks of other
// threads, and calls back. A loop and every object that uses it belong to the thread that runs the
// loop; only post() and stop() may be called from other threads. One round of waiting and calling
// back is an iteration.
//
// Watch and Timer are registrations. Their owner keeps them at a fixed address. Destroying one ends
// it: no callback follows, not even in the same iteration. A callback may destroy its own
// registration as its last action.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/callback.h"
#include "enfold/net/file_descriptor.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
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

  /// Runs until stop(). If stop() was called before, returns at once. May then be called again.
  void run();
  /// Runs one iteration: waits at most this long for an event or a task, and calls back.
  void turn(Duration at_most);

  void stop();           ///< from any thread
  void post(Task task);  ///< from any thread; tasks run on the loop, in the order they came
  /// Runs at the end of this iteration, outside other callbacks; from a deferred task: of the next.
  void defer(Task task);

  /// The time at which this iteration's wait ended. The clock is read once per iteration.
  [[nodiscard]] TimePoint now() const { return now_; }
  /// Moves the clock of this loop forward. For tests.
  void advance(Duration by);

  /// A buffer that all streams share. Its bytes are valid until the callback that reads returns.
  [[nodiscard]] std::span<char> scratch() { return {scratch_.get(), kScratch}; }

 private:
  friend class Watch;
  friend class Timer;

  /// A place for a watch. Late events of a removed watch are ignored: their key has the slot's
  /// former generation.
  struct Slot {
    Watch* watch = nullptr;        ///< null: the slot is free
    std::uint32_t generation = 0;  ///< grows when a watch is removed
  };
  struct DueTime {
    TimePoint at;
    Timer* timer;
  };
  static constexpr std::size_t kScratch = std::size_t{64} << 10;  ///< bytes

  Loop();
  [[nodiscard]] Status open();
  [[nodiscard]] int wait_milliseconds(Duration at_most) const;  ///< how long epoll_wait may wait
  void dispatch(std::uint64_t key, std::uint32_t events);
  void run_posted();
  void run_due_timers();
  void run_woken();
  void run_deferred();
  [[nodiscard]] Watch* find(std::uint64_t key) const;  ///< nullptr: it was removed
  /// Generation and number of a slot: what epoll returns with an event.
  [[nodiscard]] std::uint64_t key_of(std::uint32_t slot) const {
    return (std::uint64_t{slots_[slot].generation} << 32) | slot;
  }
  void wake(std::uint32_t slot) { woken_.push_back(key_of(slot)); }

  // timers_ is a heap with the earliest time first; `at` is an index in it, which each Timer knows.
  void place(std::size_t at, DueTime due);
  void sift_up(std::size_t at);
  void sift_down(std::size_t at);
  void insert(Timer& timer, TimePoint at);
  void remove(std::size_t at);

  FileDescriptor epoll_;
  FileDescriptor wakeup_;  ///< an eventfd that post() and stop() write to
  TimePoint now_;          ///< see now()
  Duration skew_{};        ///< by how much advance() has moved the clock
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;  ///< indexes in slots_
  std::vector<std::uint64_t> woken_;       ///< keys of watches to call at the end of the iteration
  std::vector<std::uint64_t> waking_;      ///< those that run_woken() calls now
  std::vector<DueTime> timers_;            ///< a heap with the earliest time first
  std::vector<Task> deferred_;             ///< to run at the end of the iteration
  std::vector<Task> running_;              ///< those that run_deferred() runs now
  std::unique_ptr<char[]> scratch_;

  std::mutex posted_mutex_;   ///< guards posted_
  std::vector<Task> posted_;  ///< to run on the loop's thread
  std::atomic<bool> stopping_ = false;
};

/// What a watched descriptor is ready for.
struct Readiness {
  bool input = false;
  bool output = false;
  bool hang_up = false;  ///< the peer sends no more; bytes may still wait to be read
  bool broken = false;   ///< an error, or the other end is closed; then the other flags are set too
};

/// One descriptor in one loop; its owner closes it after remove(). Readiness is reported once, when
/// it begins (edge-triggered): read and write until the call would block, or call wake().
class Watch {
 public:
  using Handler = Callback<void(Readiness)>;

  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { remove(); }

  /// Replaces an earlier registration. A descriptor that cannot be waited for (a file on disk) is
  /// always ready: its handler is called only after wake().
  [[nodiscard]] Status add(Loop& loop, int descriptor, Handler handler);
  void remove();
  /// Calls the handler once at the end of this iteration, with no readiness set. A handler that was
  /// itself called by wake() is called again in the next iteration.
  void wake() {
    if (loop_ != nullptr && !std::exchange(woken_, true)) loop_->wake(slot_);
  }
  [[nodiscard]] bool is_always_ready() const { return always_ready_; }

 private:
  friend class Loop;
  Loop* loop_ = nullptr;
  Handler handler_;
  int descriptor_ = -1;
  std::uint32_t slot_ = 0;     ///< index in Loop::slots_
  bool woken_ = false;         ///< wake() was called, and the handler not yet
  bool always_ready_ = false;  ///< the descriptor is not in epoll
};

/// Calls back once at a time that may be changed or cancelled. Setting a later time is cheap, so a
/// deadline may be renewed with every byte.
class Timer {
 public:
  Timer(Loop& loop, Task on_due) : loop_(loop), on_due_(std::move(on_due)) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer();

  void set_at(TimePoint at);  ///< a time that has passed: due in this or the next iteration
  void set_after(Duration wait) { set_at(loop_.now() + wait); }
  void cancel() { due_ = kNever; }
  [[nodiscard]] bool is_set() const { return due_ != kNever; }

 private:
  friend class Loop;
  static constexpr TimePoint kNever = TimePoint::max();
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);  ///< not in the heap

  Loop& loop_;
  Task on_due_;
  TimePoint due_ = kNever;        ///< when to call back; kNever: not set
  std::size_t place_ = kNowhere;  ///< index in Loop::timers_; the time there may be before due_
};

/// Calls back on the loop when this process receives a signal. catch_all() fails if the process has
/// a Signals object already. The destructor restores the former dispositions.
class Signals {
 public:
  using Handler = Callback<void(int signal)>;

  [[nodiscard]] static Result<std::unique_ptr<Signals>> catch_all(
      Loop& loop, std::initializer_list<int> signals, Handler handler);
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

 private:
  struct FormerAction {
    int signal;
    struct sigaction action;
  };

  explicit Signals(Handler handler) : handler_(std::move(handler)) {}
  void deliver();  ///< calls the handler for each signal that was received

  FileDescriptor wakeup_;  ///< an eventfd that the signal handler writes to
  Watch watch_;
  Handler handler_;
  std::vector<FormerAction> former_;  ///< to be restored
};

}  // namespace enfold::net

// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace enfold::net {
namespace {

constexpr std::uint64_t kWakeupKey = ~std::uint64_t{0};  // of wakeup_; no watch has this key
constexpr int kEventsPerIteration = 256;                 // more events wait for the next iteration
constexpr Duration kMaxWait = std::chrono::hours(1);     // epoll_wait takes milliseconds as an int

// Makes a write to a closed pipe fail with EPIPE instead of ending the process.
void ignore_broken_pipes() {
  struct sigaction action{};
  if (::sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
    action.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &action, nullptr);
  }
}

constexpr int kHighestSignal = 63;               // the last bit of pending_signals
std::atomic<int> wakeup_descriptor = -1;         // of the Signals object; -1: there is none
std::atomic<std::uint64_t> pending_signals = 0;  // bit N: signal N
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// A signal handler may do almost nothing: it sets a bit and wakes the loop. This works in whatever
// thread receives the signal; with signalfd every thread would have to block the signals.
extern "C" void record_signal(int signal) {
  const int former_errno = errno;
  pending_signals.fetch_or(std::uint64_t{1} << signal);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wakeup_descriptor.load(), &one, sizeof one);
  errno = former_errno;
}

}  // namespace

Loop::Loop() : now_(std::chrono::steady_clock::now()), scratch_(new char[kScratch]) {}

// Destroying a task may remove a watch or a timer, so tasks are destroyed before the tables. It may
// also defer another task, so this repeats until there are none.
Loop::~Loop() {
  posted_.clear();
  while (!deferred_.empty()) std::exchange(deferred_, {}).clear();
}

Result<std::unique_ptr<Loop>> Loop::create() {
  std::unique_ptr<Loop> loop(new Loop());
  ENFOLD_TRY(loop->open());
  return loop;
}

Status Loop::open() {
  ignore_broken_pipes();
  epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return tl::unexpected(system_error("create an event loop", errno));
  wakeup_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wakeup_) return tl::unexpected(system_error("create a wake-up descriptor", errno));
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = kWakeupKey;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wakeup_.get(), &event) != 0)
    return tl::unexpected(system_error("watch the wake-up descriptor", errno));
  return {};
}

void Loop::run() {
  while (!stopping_.load(std::memory_order_acquire)) turn(kMaxWait);
  stopping_.store(false, std::memory_order_release);
}

void Loop::stop() {
  stopping_.store(true, std::memory_order_release);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wakeup_.get(), &one, sizeof one);
}

void Loop::post(Task task) {
  bool was_empty = false;
  {
    const std::scoped_lock lock(posted_mutex_);
    was_empty = posted_.empty();
    posted_.push_back(std::move(task));
  }
  if (!was_empty) return;  // the loop was woken for an earlier task and runs all of them
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wakeup_.get(), &one, sizeof one);
}

void Loop::defer(Task task) { deferred_.push_back(std::move(task)); }

void Loop::advance(Duration by) {
  skew_ += by;
  now_ += by;
}

int Loop::wait_milliseconds(Duration at_most) const {
  if (!woken_.empty() || !deferred_.empty()) return 0;
  Duration wait = std::min(at_most, kMaxWait);
  if (!timers_.empty()) {
    const TimePoint real_now = std::chrono::steady_clock::now() + skew_;
    wait = std::min(wait, timers_.front().at - real_now);
  }
  if (wait <= Duration::zero()) return 0;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

void Loop::turn(Duration at_most) {
  std::array<epoll_event, kEventsPerIteration> events;  // NOLINT: the system writes it first
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), kEventsPerIteration, wait_milliseconds(at_most));
  now_ = std::chrono::steady_clock::now() + skew_;
  bool posted = false;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.u64 == kWakeupKey)
      posted = true;
    else
      dispatch(event.data.u64, event.events);
  }
  if (posted) run_posted();
  run_due_timers();
  run_woken();
  run_deferred();
}

Watch* Loop::find(std::uint64_t key) const {
  const auto slot = static_cast<std::uint32_t>(key);
  const auto generation = static_cast<std::uint32_t>(key >> 32);
  if (slot >= slots_.size() || slots_[slot].generation != generation) return nullptr;
  return slots_[slot].watch;
}

// An earlier event of this iteration may have removed the watch; then the generation differs.
void Loop::dispatch(std::uint64_t key, std::uint32_t events) {
  Watch* watch = find(key);
  if (watch == nullptr) return;
  Readiness ready;
  ready.broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
  ready.hang_up = ready.broken || (events & EPOLLRDHUP) != 0;
  ready.input = ready.hang_up || (events & EPOLLIN) != 0;
  ready.output = ready.broken || (events & EPOLLOUT) != 0;
  watch->handler_(ready);
}

void Loop::run_posted() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(wakeup_.get(), &count, sizeof count);
  std::vector<Task> tasks;
  {
    const std::scoped_lock lock(posted_mutex_);
    tasks.swap(posted_);
  }
  for (Task& task : tasks) task();
}

void Loop::run_due_timers() {
  // `left` limits the iterations: a timer that sets itself to now again waits for the next turn.
  for (std::size_t left = timers_.size(); left > 0; --left) {
    if (timers_.empty() || timers_.front().at > now_) return;
    Timer& timer = *timers_.front().timer;
    remove(0);
    if (timer.due_ == Timer::kNever) continue;
    if (timer.due_ > now_) {  // it was moved to a later time
      insert(timer, timer.due_);
      continue;
    }
    timer.due_ = Timer::kNever;
    timer.on_due_();
  }
}

void Loop::run_woken() {
  waking_.swap(woken_);
  for (std::size_t i = 0; i < waking_.size(); ++i) {
    Watch* watch = find(waking_[i]);
    if (watch == nullptr || !watch->woken_) continue;
    watch->woken_ = false;
    dispatch(waking_[i], /*events=*/0);
  }
  waking_.clear();
}

void Loop::run_deferred() {
  running_.swap(deferred_);
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Task task = std::move(running_[i]);
    task();
  }
  running_.clear();
}

void Loop::place(std::size_t at, DueTime due) {
  timers_[at] = due;
  due.timer->place_ = at;
}

void Loop::sift_up(std::size_t at) {
  const DueTime due = timers_[at];
  while (at > 0 && due.at < timers_[(at - 1) / 2].at) {
    place(at, timers_[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  place(at, due);
}

void Loop::sift_down(std::size_t at) {
  const DueTime due = timers_[at];
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= timers_.size()) break;
    if (child + 1 < timers_.size() && timers_[child + 1].at < timers_[child].at) ++child;
    if (timers_[child].at >= due.at) break;
    place(at, timers_[child]);
    at = child;
  }
  place(at, due);
}

void Loop::insert(Timer& timer, TimePoint at) {
  timers_.push_back({at, &timer});
  timer.place_ = timers_.size() - 1;
  sift_up(timer.place_);
}

void Loop::remove(std::size_t at) {
  timers_[at].timer->place_ = Timer::kNowhere;
  const DueTime last = timers_.back();
  timers_.pop_back();
  if (at == timers_.size()) return;
  place(at, last);
  sift_up(at);
  sift_down(last.timer->place_);
}

Status Watch::add(Loop& loop, int descriptor, Handler handler) {
  remove();
  if (loop.free_slots_.empty()) {
    loop.slots_.emplace_back();
    loop.free_slots_.push_back(static_cast<std::uint32_t>(loop.slots_.size() - 1));
  }
  slot_ = loop.free_slots_.back();
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = loop.key_of(slot_);
  always_ready_ = false;
  if (::epoll_ctl(loop.epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0) {
    // EPERM: epoll does not wait for this kind of descriptor, such as a file on disk.
    if (errno != EPERM) return tl::unexpected(system_error("watch a descriptor", errno));
    always_ready_ = true;
  }
  loop.free_slots_.pop_back();
  loop.slots_[slot_].watch = this;
  loop_ = &loop;
  descriptor_ = descriptor;
  handler_ = std::move(handler);
  return {};
}

void Watch::remove() {
  if (loop_ == nullptr) return;
  if (!always_ready_) ::epoll_ctl(loop_->epoll_.get(), EPOLL_CTL_DEL, descriptor_, nullptr);
  Loop::Slot& slot = loop_->slots_[slot_];
  slot.watch = nullptr;
  ++slot.generation;
  loop_->free_slots_.push_back(slot_);
  loop_ = nullptr;
  woken_ = false;
}

Timer::~Timer() {
  if (place_ != kNowhere) loop_.remove(place_);
}

void Timer::set_at(TimePoint at) {
  due_ = at;
  if (place_ != kNowhere) {
    // run_due_timers() moves the timer when the earlier time in the heap has come.
    if (at >= loop_.timers_[place_].at) return;
    loop_.remove(place_);
  }
  loop_.insert(*this, at);
}

Result<std::unique_ptr<Signals>> Signals::catch_all(Loop& loop, std::initializer_list<int> signals,
                                                    Handler handler) {
  if (wakeup_descriptor.load() >= 0)
    return fail(ErrorCode::conflict, "signals are caught already; one Signals object at a time", {},
                "destroy the other one first");
  std::unique_ptr<Signals> caught(new Signals(std::move(handler)));
  caught->wakeup_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!caught->wakeup_) return tl::unexpected(system_error("create a wake-up descriptor", errno));
  Signals* self = caught.get();
  Status added = caught->watch_.add(loop, caught->wakeup_.get(), [self](Readiness ready) {
    if (ready.input) self->deliver();
  });
  ENFOLD_TRY(std::move(added));
  pending_signals.store(0);
  wakeup_descriptor.store(caught->wakeup_.get());
  for (const int signal : signals) {
    struct sigaction action{};
    struct sigaction former{};
    action.sa_handler = record_signal;
    action.sa_flags = SA_RESTART;
    if (signal < 1 || signal > kHighestSignal || ::sigaction(signal, &action, &former) != 0)
      return fail(ErrorCode::invalid_input, fmt::format("signal {} cannot be caught", signal));
    caught->former_.push_back({signal, former});
  }
  return caught;
}

Signals::~Signals() {
  for (const FormerAction& former : former_) ::sigaction(former.signal, &former.action, nullptr);
  if (wakeup_) wakeup_descriptor.store(-1);
}

void Signals::deliver() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(wakeup_.get(), &count, sizeof count);
  const std::uint64_t signals = pending_signals.exchange(0);
  for (int signal = 1; signal <= kHighestSignal; ++signal)
    if ((signals >> signal) & 1U) handler_(signal);
}

}  // namespace enfold::net

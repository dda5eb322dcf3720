// SPDX-License-Identifier: Apache-2.0
// A handler may do almost nothing: it notes the signal in a bit and wakes the loop. This works
// whichever thread the signal hits, which a blocked mask with signalfd would not.
#include "enfold/net/signals.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace enfold::net {
namespace {

constexpr int kHighestSignal = 63;
std::atomic<int> wakeup_descriptor = -1;
std::atomic<std::uint64_t> pending_signals = 0;
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  const int former_errno = errno;
  pending_signals.fetch_or(std::uint64_t{1} << signal);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wakeup_descriptor.load(), &one, sizeof one);
  errno = former_errno;
}

}  // namespace

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
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    if (signal < 1 || signal > kHighestSignal || ::sigaction(signal, &action, &former) != 0)
      return fail(ErrorCode::invalid_input, fmt::format("signal {} cannot be caught", signal));
    caught->former_.push_back({signal, former});
  }
  return caught;
}

Signals::~Signals() {
  for (const Former& former : former_) ::sigaction(former.signal, &former.action, nullptr);
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

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/answer_lane.h"

#include <algorithm>
#include <limits>

namespace enfold::gateway {
namespace {

// Pause before a job that found the queue of the workers full tries again. Jobs that do not wait in
// this lane use the same queue.
constexpr std::chrono::milliseconds kRetryPause{5};

constexpr std::size_t kMaxKnownTools = 10'000;  // in expected_bytes_

// With several clients, one client may use all workers but one, which is left to the others.
tools::FairLane::Bounds bounds_of(const Settings& settings) {
  const std::size_t workers = settings.answers.workers;
  return {.running = workers,
          .running_per_principal =
              settings.one_client ? workers : std::max<std::size_t>(workers, 2) - 1,
          .waiting_per_principal = std::numeric_limits<std::size_t>::max()};  // no limit
}

}  // namespace

AnswerLane::AnswerLane(const Environment& environment)
    : environment_(environment),
      lane_(bounds_of(environment.settings)),
      retry_(environment.loop, [this] {
        for (Start& one : std::exchange(delayed_, {})) start(std::move(one));
      }) {}

// The expected size rises to that of a longer answer at once, and falls by a quarter at most with
// each shorter one. So after a single long answer, calls of the tool soon reserve less again.
void AnswerLane::record(const std::string& tool, std::size_t bytes) {
  const auto known = expected_bytes_.find(tool);
  if (known == expected_bytes_.end()) {
    if (bytes > kSmallAnswer && expected_bytes_.size() < kMaxKnownTools)
      expected_bytes_.emplace(tool, bytes);
    return;
  }
  known->second = std::max(bytes, known->second - known->second / 4);
  if (known->second <= kSmallAnswer) expected_bytes_.erase(known);
}

void AnswerLane::enter(const std::string& owner, std::size_t bytes, Start start) {
  reserved_->add(owner, bytes);
  // Never refused: the lane has no limit for waiting jobs (bounds_of).
  static_cast<void>(lane_.enter(
      owner, [this, start = std::move(start)]() mutable { this->start(std::move(start)); }));
}

void AnswerLane::start(Start start) {
  if (start()) return;
  delayed_.push_back(std::move(start));
  if (!retry_.is_set()) retry_.set_after(kRetryPause);
}

void AnswerLane::leave(const std::string& owner, std::size_t bytes) {
  reserved_->remove(owner, bytes);
  lane_.leave(owner);
}

}  // namespace enfold::gateway

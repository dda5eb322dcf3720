// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/answer_lane.h"

#include <algorithm>
#include <limits>

namespace enfold::gateway {
namespace {

// The queue of the workers may be full of calls that have not run.
constexpr std::chrono::milliseconds kRetryPause{5};

// One owner leaves a worker to the others.
tools::FairLane::Bounds bounds_of(std::size_t workers) {
  return {.running = workers,
          .each = std::max<std::size_t>(workers, 2) - 1,
          .waiting = std::numeric_limits<std::size_t>::max()};
}

}  // namespace

AnswerLane::AnswerLane(const Environment& environment)
    : environment_(environment),
      lane_(bounds_of(environment.settings.answers.workers)),
      retry_(environment.loop, [this] {
        for (Start& one : std::exchange(delayed_, {})) start(std::move(one));
      }) {}

void AnswerLane::enter(const std::string& owner, std::size_t bytes, Start start) {
  if (bytes > 0) bytes_[owner] += bytes;
  all_bytes_ += bytes;
  // The lane has no limit for those that wait.
  static_cast<void>(lane_.enter(
      owner, [this, start = std::move(start)]() mutable { this->start(std::move(start)); }));
}

void AnswerLane::start(Start start) {
  if (start()) return;
  delayed_.push_back(std::move(start));
  if (!retry_.is_set()) retry_.set_after(kRetryPause);
}

void AnswerLane::leave(const std::string& owner, std::size_t bytes) {
  all_bytes_ -= bytes;
  if (const auto own = bytes_.find(owner); own != bytes_.end() && bytes > 0) {
    own->second -= bytes;
    if (own->second == 0) bytes_.erase(own);
  }
  lane_.leave(owner);
}

}  // namespace enfold::gateway

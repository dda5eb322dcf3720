// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/serving_thread.h"

#include <mutex>
#include <utility>

namespace enfold::server {

// When the server has gone, `task` is destroyed after `lock`, because what it owns may call this
// object from its destructor.
void ServingThread::post(net::Task task) {
  const std::shared_lock lock(mutex_);
  if (host_ != nullptr) host_->post(std::move(task));
}

std::chrono::microseconds ServingThread::clock() const {
  const std::shared_lock lock(mutex_);
  return host_ != nullptr ? host_->clock() : std::chrono::microseconds::max();
}

void ServingThread::close() {
  const std::unique_lock lock(mutex_);
  host_ = nullptr;
}

Slot& Slot::operator=(Slot&& other) noexcept {
  const Slot old(std::move(*this));  // its destructor frees the place
  thread_ = std::move(other.thread_);
  lane_ = std::move(other.lane_);
  principal_ = std::move(other.principal_);
  return *this;
}

Slot::~Slot() {
  if (!thread_) return;
  thread_->post([thread = thread_, lane = std::move(lane_), principal = std::move(principal_)] {
    --thread->taken_slots_;
    if (const std::shared_ptr<tools::FairLane> open = lane.lock()) open->leave(principal);
  });
}

}  // namespace enfold::server

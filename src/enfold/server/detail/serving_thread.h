// SPDX-License-Identifier: Apache-2.0
// How threads that may outlive the server reach its serving thread.
#pragma once

#include "enfold/serve/host.h"
#include "enfold/tools/call/fair_lane.h"

#include <memory>
#include <shared_mutex>
#include <string>

namespace enfold::server {

/// Reaches the serving thread from any thread, also after the server has gone.
class ServingThread {
 public:
  explicit ServingThread(serve::Host& host) : host_(&host) {}

  /// Runs the task on the serving thread; drops it when the server has gone.
  void post(net::Task task);
  /// Monotonic time; the largest value when the server has gone, so that every deadline has passed.
  [[nodiscard]] std::chrono::microseconds clock() const;
  /// What `ask(host)` returns; false when the server has gone. `ask` must not call this object.
  template <class Ask>
  [[nodiscard]] bool ask(const Ask& ask) const {
    const std::shared_lock lock(mutex_);
    return host_ != nullptr && ask(*host_);
  }
  /// Called on the serving thread when the server ends. Waits until no other thread uses the host.
  void close();
  /// Slots that are not free yet. Called on the serving thread, as everything that changes it.
  [[nodiscard]] std::size_t taken_slots() const { return taken_slots_; }

 private:
  friend class Slot;
  std::size_t taken_slots_ = 0;
  mutable std::shared_mutex mutex_;
  serve::Host* host_;  ///< nullptr: the server has gone
};

/// The place of a running call in its lane, taken on the serving thread. The destructor frees it,
/// on any thread.
class Slot {
 public:
  Slot() = default;
  Slot(std::shared_ptr<ServingThread> thread, std::weak_ptr<tools::FairLane> lane,
       std::string principal)
      : thread_(std::move(thread)), lane_(std::move(lane)), principal_(std::move(principal)) {
    ++thread_->taken_slots_;
  }
  Slot(Slot&&) = default;
  Slot& operator=(Slot&& other) noexcept;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot();

 private:
  std::shared_ptr<ServingThread> thread_;  ///< nullptr: the slot is empty
  std::weak_ptr<tools::FairLane> lane_;
  std::string principal_;
};

}  // namespace enfold::server

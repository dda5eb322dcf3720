// SPDX-License-Identifier: Apache-2.0
// Tasks for the serving thread from threads that may outlive the server, such as that of a store.
#pragma once

#include "enfold/serve/host.h"

#include <functional>
#include <memory>
#include <mutex>

namespace enfold::serve {

/// Owned by the server. Its posters may be used by any thread, also after it is destroyed.
class LatePost {
 public:
  explicit LatePost(Host& host) : target_(std::make_shared<Target>()) { target_->host = &host; }
  ~LatePost() {
    const std::scoped_lock lock(target_->mutex);
    target_->host = nullptr;
  }
  LatePost(const LatePost&) = delete;
  LatePost& operator=(const LatePost&) = delete;

  /// Runs a task on the serving thread; drops the task if the LatePost is destroyed. May be called
  /// from any thread at any time.
  using Poster = std::function<void(net::Task task)>;
  [[nodiscard]] Poster poster() const {
    return [target = target_](net::Task task) {
      const std::scoped_lock lock(target->mutex);
      if (target->host != nullptr) target->host->post(std::move(task));
    };
  }

 private:
  struct Target {
    std::mutex mutex;
    Host* host = nullptr;  ///< null: the LatePost is destroyed
  };
  std::shared_ptr<Target> target_;
};

}  // namespace enfold::serve

// SPDX-License-Identifier: Apache-2.0
// Limits how many jobs of one kind run at the same time, for each principal and in all: a query of
// the archive, for example, may take more than a second and must leave workers for other calls.
// Principals whose jobs wait take turns. Used on the serving thread only.
#pragma once

#include "enfold/net/callback.h"

#include <cstddef>
#include <deque>
#include <list>
#include <map>
#include <string>

namespace enfold::tools {

class FairLane {
 public:
  struct Bounds {
    std::size_t running = 1;                 ///< jobs of all principals that run
    std::size_t running_per_principal = 1;   ///< of `running`, jobs of one principal
    std::size_t waiting_per_principal = 64;  ///< jobs of one principal that wait
  };
  explicit FairLane(const Bounds& bounds) : bounds_(bounds) {}

  /// Starts the job now, or later in a leave(). False: too many jobs of the principal wait already,
  /// and the job does not run.
  [[nodiscard]] bool enter(const std::string& principal, net::Task job);
  /// To be called once for each job that was started, when its work is done (a job may begin work
  /// that a worker finishes). May start a waiting job.
  void leave(const std::string& principal);
  /// How many jobs of this principal wait.
  [[nodiscard]] std::size_t waiting(const std::string& principal) const;
  /// No job runs or waits.
  [[nodiscard]] bool is_idle() const { return running_ == 0 && waiting_.empty(); }

 private:
  struct Queue {
    std::string principal;
    std::deque<net::Task> jobs;  ///< never empty; the oldest first
  };
  [[nodiscard]] bool has_room(const std::string& principal) const;
  void start(const std::string& principal, net::Task job);

  Bounds bounds_;
  std::size_t running_ = 0;
  std::map<std::string, std::size_t> running_of_;  ///< by principal; no entry has 0
  std::list<Queue> waiting_;                       ///< the principal whose turn is next comes first
};

}  // namespace enfold::tools

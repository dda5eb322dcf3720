// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/fair_lane.h"

#include <algorithm>
#include <utility>

namespace enfold::tools {

bool FairLane::has_room(const std::string& principal) const {
  const auto own = running_of_.find(principal);
  return running_ < bounds_.running && (own == running_of_.end() || own->second < bounds_.each);
}

void FairLane::start(const std::string& principal, net::Task job) {
  ++running_;
  ++running_of_[principal];
  job();
}

bool FairLane::enter(const std::string& principal, net::Task job) {
  if (has_room(principal)) {
    start(principal, std::move(job));
    return true;
  }
  const auto own = std::ranges::count(waiting_, principal, &Waiting::principal);
  if (static_cast<std::size_t>(own) >= bounds_.waiting) return false;
  waiting_.push_back({principal, std::move(job)});
  return true;
}

void FairLane::leave(const std::string& principal) {
  --running_;
  if (--running_of_[principal] == 0) running_of_.erase(principal);
  const auto next =
      std::ranges::find_if(waiting_, [&](const Waiting& one) { return has_room(one.principal); });
  if (next == waiting_.end()) return;
  Waiting one = std::move(*next);
  waiting_.erase(next);
  start(one.principal, std::move(one.job));
}

}  // namespace enfold::tools

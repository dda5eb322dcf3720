// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/fair_lane.h"

#include <algorithm>
#include <utility>

namespace enfold::tools {

bool FairLane::has_room(const std::string& principal) const {
  const auto own = running_of_.find(principal);
  return running_ < bounds_.running &&
         (own == running_of_.end() || own->second < bounds_.running_per_principal);
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
  if (bounds_.waiting_per_principal == 0) return false;
  auto own = std::ranges::find(waiting_, principal, &Queue::principal);
  if (own == waiting_.end()) own = waiting_.insert(own, {principal, {}});
  if (own->jobs.size() >= bounds_.waiting_per_principal) return false;
  own->jobs.push_back(std::move(job));
  return true;
}

std::size_t FairLane::waiting(const std::string& principal) const {
  const auto own = std::ranges::find(waiting_, principal, &Queue::principal);
  return own != waiting_.end() ? own->jobs.size() : 0;
}

void FairLane::leave(const std::string& principal) {
  --running_;
  if (--running_of_[principal] == 0) running_of_.erase(principal);
  const auto next =
      std::ranges::find_if(waiting_, [&](const Queue& one) { return has_room(one.principal); });
  if (next == waiting_.end()) return;
  const std::string turn = next->principal;
  net::Task job = std::move(next->jobs.front());
  next->jobs.pop_front();
  if (next->jobs.empty()) {
    waiting_.erase(next);
  } else {
    waiting_.splice(waiting_.end(), waiting_, next);
  }
  start(turn, std::move(job));
}

}  // namespace enfold::tools

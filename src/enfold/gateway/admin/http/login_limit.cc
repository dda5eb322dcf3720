// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/http/login_limit.h"

namespace enfold::gateway {

const LoginLimit::Failures* LoginLimit::find(const std::string& network) const {
  auto found = by_network_.find(network);
  if (found == by_network_.end()) found = by_network_.find("");
  return found != by_network_.end() ? &found->second : nullptr;
}

std::optional<std::chrono::seconds> LoginLimit::wait_of(const std::string& network,
                                                        mcp::Time now) const {
  const Failures* const failures = find(network);
  if (failures == nullptr || failures->count < kMaxFailures) return std::nullopt;
  const mcp::Time left = failures->begin + kPeriod - now;
  if (left <= mcp::Time::zero()) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(left);
}

void LoginLimit::count_failure(const std::string& network, mcp::Time now) {
  const bool is_full = by_network_.size() >= kMaxNetworks && !by_network_.contains(network);
  if (is_full) {
    std::erase_if(by_network_, [&](const auto& one) { return now - one.second.begin >= kPeriod; });
  }
  const bool has_room = by_network_.size() < kMaxNetworks || by_network_.contains(network);
  Failures& failures = by_network_[has_room ? network : std::string()];
  if (now - failures.begin >= kPeriod) failures = {.begin = now};
  ++failures.count;
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/http/login_limit.h"

#include "enfold/base/hash.h"
#include "enfold/net/http/server.h"

namespace enfold::gateway {

std::optional<std::chrono::seconds> LoginLimit::wait_of(const std::string& network,
                                                        mcp::Time now) const {
  const auto found = by_network_.find(network);
  if (found == by_network_.end() || found->second.hashes.size() < kMaxWrongKeys) {
    return std::nullopt;
  }
  const mcp::Time left = found->second.begin + kPeriod - now;
  if (left <= mcp::Time::zero()) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(left);
}

void LoginLimit::count_wrong_key(const std::string& network, std::string_view key, mcp::Time now) {
  if (trusts_loopback_ && net::is_on_this_machine(network)) return;
  while (!networks_.empty() && now - by_network_[networks_.front()].begin >= kPeriod) {
    forget_first();
  }
  if (!by_network_.contains(network)) {
    if (networks_.size() >= kMaxNetworks) forget_first();
    networks_.push_back(network);
    by_network_[network].begin = now;
  }
  std::set<std::string>& hashes = by_network_[network].hashes;
  if (hashes.size() < kMaxWrongKeys) hashes.insert(to_hex(sha256(key)));
}

void LoginLimit::forget_first() {
  by_network_.erase(networks_.front());
  networks_.pop_front();
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
// Limits how often the keys of operators can be guessed: after too many wrong keys from one network
// all keys from it are refused for a while, right or wrong. Each wrong key counts once, so a
// program with an old key does not lock operators out. Sessions that are open go on.
#pragma once

#include "enfold/mcp/peer/server_action.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace enfold::gateway {

class LoginLimit {
 public:
  static constexpr std::size_t kMaxWrongKeys = 10;  ///< from one network in one period
  static constexpr mcp::Time kPeriod = std::chrono::minutes(1);
  /// Beyond this number the network that was added first is forgotten.
  static constexpr std::size_t kMaxNetworks = 4'096;

  /// `trusts_loopback`: loopback addresses and Unix sockets have no limit. A proxy may run there,
  /// so that all clients have its address.
  explicit LoginLimit(bool trusts_loopback) : trusts_loopback_(trusts_loopback) {}

  /// How long the keys from this network (net::Peer) are refused; nullopt: they are not.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const std::string& network,
                                                            mcp::Time now) const;
  void count_wrong_key(const std::string& network, std::string_view key, mcp::Time now);

 private:
  struct WrongKeys {
    mcp::Time begin{};  ///< of the period
    std::set<std::string> hashes;
  };
  void forget_first();

  bool trusts_loopback_;
  std::map<std::string, WrongKeys> by_network_;
  std::deque<std::string> networks_;  ///< those of `by_network_`, in the order of their periods
};

}  // namespace enfold::gateway

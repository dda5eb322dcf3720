// SPDX-License-Identifier: Apache-2.0
// Limits how often keys and tokens can be guessed: after too many failed logins from one network,
// further ones are refused for a while, right or wrong. Sessions that are open go on.
#pragma once

#include "enfold/mcp/peer/server_action.h"

#include <map>
#include <optional>
#include <string>

namespace enfold::gateway {

class LoginLimit {
 public:
  static constexpr std::size_t kMaxFailures = 10;  ///< from one network in one period
  static constexpr mcp::Time kPeriod = std::chrono::minutes(1);

  /// How long this network must wait until its next login; nullopt: it may log in now. `network`:
  /// as in net::Peer.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const std::string& network,
                                                            mcp::Time now) const;
  void count_failure(const std::string& network, mcp::Time now);

 private:
  /// Networks whose failures are counted; further ones are counted together.
  static constexpr std::size_t kMaxNetworks = 4'096;
  struct Failures {
    mcp::Time begin{};  ///< of the period
    std::size_t count = 0;
  };
  /// The entry of a network, which may be a common one. nullptr: there is none.
  [[nodiscard]] const Failures* find(const std::string& network) const;

  std::map<std::string, Failures> by_network_;  ///< at "": of all networks that have no entry
};

}  // namespace enfold::gateway

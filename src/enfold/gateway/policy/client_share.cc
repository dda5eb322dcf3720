// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/client_share.h"

#include "enfold/net/endpoint.h"

namespace enfold::gateway {

ClientShare share_of_address(const std::string& address) {
  const auto parts = net::parse_authority(address);
  const std::string host = parts ? parts->host : std::string();
  const bool is_local = host.empty() || net::is_loopback_name(host);
  return {net::network_of(host), is_local ? Shares::Limit::free : Shares::Limit::share};
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/client_share.h"

#include "enfold/net/endpoint.h"

namespace enfold::gateway {
namespace {

constexpr std::string_view kUnixSocket = "unix";  // net::Endpoint::host() of a Unix socket

}  // namespace

ClientShare share_of(const Settings& settings, const serve::ConnectionState& client) {
  if (!settings.principals.empty()) return {client.principal, Shares::Limit::share};
  const std::string network = client.client_network.value_or("");
  const bool is_local =
      !client.client_network || network == kUnixSocket || net::is_loopback_name(network);
  return is_local ? ClientShare{{}, Shares::Limit::free}
                  : ClientShare{network, Shares::Limit::share};
}

}  // namespace enfold::gateway

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/client_share.h"

#include "enfold/net/http/server.h"

namespace enfold::gateway {

ClientShare share_of(const Settings& settings, const serve::ConnectionState& client) {
  if (!settings.principals.empty()) return {client.principal, Shares::Limit::fair_share};
  const std::string network = client.client_network.value_or("");
  const bool is_local = !client.client_network || net::is_on_this_machine(network);
  return is_local ? ClientShare{{}, Shares::Limit::any_free}
                  : ClientShare{network, Shares::Limit::fair_share};
}

}  // namespace enfold::gateway

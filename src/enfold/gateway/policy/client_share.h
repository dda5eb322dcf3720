// SPDX-License-Identifier: Apache-2.0
// Whose share of a limited number of places (processes, open calls) a client uses.
#pragma once

#include "enfold/base/shares.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/serve/service.h"

namespace enfold::gateway {

struct ClientShare {
  /// The principal; without keys the network of the address, empty for a client of this machine.
  std::string owner;
  /// Without keys, clients on this machine and on stdio may have all places.
  Shares::Limit limit;
};
/// The share of a client at this address, HOST:PORT.
[[nodiscard]] ClientShare share_of_address(const std::string& address);

[[nodiscard]] inline ClientShare share_of(const Settings& settings,
                                          const serve::ConnectionState& client) {
  if (!settings.principals.empty()) return {client.principal, Shares::Limit::share};
  const std::string& address = client.client_address;
  const bool is_local = address.empty() || address.starts_with("127.0.0.1:");
  return is_local ? ClientShare{{}, Shares::Limit::free} : share_of_address(address);
}

}  // namespace enfold::gateway

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
/// An address that is not known has a share, as those of other machines.
[[nodiscard]] ClientShare share_of(const Settings& settings, const serve::ConnectionState& client);

}  // namespace enfold::gateway

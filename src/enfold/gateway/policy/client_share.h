// SPDX-License-Identifier: Apache-2.0
// Whose share of a limited number of places (processes, open calls) a client uses.
#pragma once

#include "enfold/base/shares.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/serve/service.h"

namespace enfold::gateway {

struct ClientShare {
  /// The principal. If the gateway has no principals: the network of the client's address; empty
  /// for a client on this machine.
  std::string owner;
  /// `free` for clients on this machine and on stdio, if the gateway has no principals: they may
  /// use all places.
  Shares::Limit limit;
};
/// A client whose address is not known gets a share like clients on other machines.
[[nodiscard]] ClientShare share_of(const Settings& settings, const serve::ConnectionState& client);

}  // namespace enfold::gateway

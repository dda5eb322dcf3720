// SPDX-License-Identifier: Apache-2.0
// Who may ask: the names a server answers to (Host) and the web pages that may call it (Origin). A
// page on a foreign site can make a browser send requests to loopback, even under its own name;
// these checks are what stops it.
#pragma once

#include "enfold/net/http/message.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::net {

struct HostPolicy {
  /// Names beside localhost and loopback addresses, which are always allowed: "mcp.example.org"
  /// with any port, "mcp.example.org:8443" with this one, "*" for every name.
  std::vector<std::string> hosts;
  /// Origins beside those on loopback: "https://app.example.org", "*" for every origin. A request
  /// without Origin does not come from a page and is not asked.
  std::vector<std::string> origins;
};

/// 400 for a Host that is none, 403 for one that is not allowed.
[[nodiscard]] std::optional<HttpFault> check_host(const HttpHead& head, const HostPolicy& policy);
/// 403 for an origin that is not allowed.
[[nodiscard]] std::optional<HttpFault> check_origin(const HttpHead& head, const HostPolicy& policy);

}  // namespace enfold::net

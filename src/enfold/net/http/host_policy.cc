// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/host_policy.h"

#include "enfold/net/endpoint.h"

#include <algorithm>
#include <string_view>

namespace enfold::net {
namespace {

bool allows(const std::vector<std::string>& allowed, std::string_view text, std::string_view part) {
  return std::ranges::any_of(allowed, [&](const std::string& one) {
    return one == "*" || equals_ignoring_case(one, text) ||
           (!part.empty() && equals_ignoring_case(one, part));
  });
}

bool is_loopback_origin(std::string_view origin) {
  const Result<Url> url = parse_url(origin);
  return url && url->target == "/" && is_loopback_name(url->host);
}

}  // namespace

std::optional<HttpFault> check_host(const HttpHead& head, const HostPolicy& policy) {
  const std::string_view authority = head.authority();
  if (authority.empty() && head.minor_version() == 0) return std::nullopt;
  const Result<HostAndPort> parts = parse_authority(authority);
  if (!parts) return HttpFault{400, "the Host field is not HOST or HOST:PORT"};
  if (!is_loopback_name(parts->host) && !allows(policy.hosts, authority, parts->host))
    return HttpFault{403, "this server does not answer to the name in the Host field"};
  return std::nullopt;
}

std::optional<HttpFault> check_origin(const HttpHead& head, const HostPolicy& policy) {
  for (std::size_t i = 0; i < head.field_count(); ++i) {
    const HeaderField field = head.field(i);
    if (!equals_ignoring_case(field.name, "origin")) continue;
    if (!is_loopback_origin(field.value) && !allows(policy.origins, field.value, {}))
      return HttpFault{403, "this server may not be called by pages of this Origin"};
  }
  return std::nullopt;
}

}  // namespace enfold::net

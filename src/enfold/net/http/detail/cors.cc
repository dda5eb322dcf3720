// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/detail/cors.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::net::detail {

std::optional<HttpResponse> answer_preflight(const HttpHead& head) {
  const bool is_preflight = head.method() == "OPTIONS" && head.find("Origin") &&
                            head.find("Access-Control-Request-Method");
  if (!is_preflight) return std::nullopt;
  HttpResponse response{.status = 204, .headers = {}, .body = {}};
  response.headers.add("Access-Control-Allow-Methods", "GET, POST, DELETE");
  // Allows every header that is asked for: the header of a tool's parameter (Mcp-Param-NAME) may
  // have any name. The headers are checked with the request itself.
  if (const auto headers = head.find("Access-Control-Request-Headers")) {
    response.headers.add("Access-Control-Allow-Headers", *headers);
  }
  if (head.find("Access-Control-Request-Private-Network")) {
    response.headers.add("Access-Control-Allow-Private-Network", "true");
  }
  response.headers.add("Access-Control-Max-Age", "600");
  return response;
}

std::string cors_lines(const HttpHead& head, const HostPolicy& policy) {
  const auto origin = head.find("Origin");
  const bool may_read = origin && std::ranges::any_of(policy.origins, [&](const std::string& one) {
                          return one == "*" || equals_ignoring_case(one, *origin);
                        });
  if (!may_read) return {};
  return fmt::format(
      "Access-Control-Allow-Origin: {}\r\nAccess-Control-Expose-Headers: *\r\nVary: Origin\r\n",
      *origin);
}

}  // namespace enfold::net::detail

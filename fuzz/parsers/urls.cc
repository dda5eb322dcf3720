// SPDX-License-Identifier: Apache-2.0
// Any text as an address: what is read is written in one way, which is read as the same address.
#include "enfold/gateway/admin/http/request.h"
#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/net/endpoint.h"
#include "enfold/store/archive.h"
#include "enfold/store/redis/address.h"
#include "fuzz/check.h"

#include <algorithm>
#include <string>

namespace enfold::fuzz {
namespace {

void require_one_line(std::string_view text, std::string_view input) {
  require(std::ranges::none_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; }),
          "no part of an address ends a line", input);
}

void check_url(std::string_view input) {
  const auto url = net::parse_url(input);
  if (!url) return;
  require(url->target.starts_with('/'), "a target begins with a slash", input);
  require(url->shown().find('?') == std::string::npos, "no query is shown", input);
  require_one_line(url->authority(), input);
  require_one_line(url->target, input);
  const auto again = net::parse_url(url->origin() + url->target);
  require(again && again->secure == url->secure && again->host == url->host &&
              again->port == url->port && again->target == url->target,
          "a URL comes back", input);
}

void check(std::string_view input) {
  check_url(input);
  if (const auto authority = net::parse_authority(input)) {
    require_one_line(authority->host + authority->port, input);
    require(!authority->host.empty(), "an authority has a host", input);
  }
  if (const auto redis = store::detail::parse_redis_url(input)) {
    const std::string shown = redis->shown();
    require(redis->password.size() < 6 || shown.find(redis->password) == std::string::npos ||
                (redis->host + redis->socket).find(redis->password) != std::string::npos,
            "no password is shown", input);
    require(redis->port > 0 && redis->port <= 65535 && redis->database >= 0,
            "numbers are in their range", input);
  }
  (void)store::parse_place(input);
  gateway::AdminRequest request;
  gateway::read_target(input, request);
  require(std::ranges::none_of(request.path, &std::string::empty), "no segment of a path is empty",
          input);
  serve::HttpOptions options;
  if (gateway::read_address(std::string(input), options))
    require(!options.host.empty(), "an address has a host", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

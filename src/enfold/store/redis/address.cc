// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/address.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace enfold::store::detail {
namespace {

constexpr std::string_view kForms =
    "Write redis://host:6379/0 or redis+unix:///path/of/socket, with user:password@ if needed.";

// The error for a wrong address. The message does not contain the URL, which may have a password.
tl::unexpected<Error> bad(const std::string& problem) {
  return fail(ErrorCode::invalid_input, "the address of Redis " + problem, "", std::string(kForms));
}

std::optional<int> number(std::string_view text, int least, int most) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < least || value > most) return std::nullopt;
  return value;
}

// nullopt: a '%' is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const char* const begin = text.data() + i + 1;
    const auto [end, problem] = std::from_chars(begin, begin + 2, value, 16);
    if (problem != std::errc() || end != begin + 2) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

// Moves USER:PASSWORD@ from the front of `rest` into the address; does nothing if there is no @.
Status take_login(std::string_view& rest, RedisAddress& address) {
  const std::size_t at = rest.rfind('@');
  if (at == std::string_view::npos) return {};
  const std::string_view login = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  const std::size_t colon = login.find(':');
  if (colon == std::string_view::npos) return bad("has a user without a password");
  const auto user = percent_decoded(login.substr(0, colon));
  const auto password = percent_decoded(login.substr(colon + 1));
  if (!user || !password) return bad("has a user or password with a broken %-escape");
  address.user = *user;
  address.password = *password;
  return {};
}

// Reads HOST[:PORT] into the address.
Status take_host(std::string_view rest, RedisAddress& address) {
  std::string_view port;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return bad("has a '[' without a ']'");
    address.host = rest.substr(1, end - 1);
    port = rest.substr(end + 1);
  } else {
    const std::size_t colon = rest.find(':');
    address.host = rest.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view() : rest.substr(colon);
  }
  if (address.host.empty()) return bad("has no host");
  if (port.empty()) return {};
  const auto value = port.starts_with(':') ? number(port.substr(1), 1, 65535) : std::nullopt;
  if (!value) return bad("has no port from 1 to 65535 behind its host");
  address.port = *value;
  return {};
}

Status take_database(std::string_view text, RedisAddress& address) {
  const auto value = number(text, 0, 1'000'000);
  if (!value) return bad("has no number for its database");
  address.database = *value;
  return {};
}

Result<RedisAddress> parse_socket(std::string_view rest) {
  RedisAddress address;
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return bad("has no path of a socket");
  std::string_view before = rest.substr(0, slash);
  ENFOLD_TRY(take_login(before, address));
  if (!before.empty()) return bad("has a host in front of the path of a socket");
  rest.remove_prefix(slash);
  const std::size_t query = rest.find("?db=");
  address.socket = rest.substr(0, query);
  if (query == std::string_view::npos) return address;
  ENFOLD_TRY(take_database(rest.substr(query + 4), address));
  return address;
}

Result<RedisAddress> parse_tcp(std::string_view rest) {
  RedisAddress address;
  ENFOLD_TRY(take_login(rest, address));
  const std::size_t slash = rest.find('/');
  ENFOLD_TRY(take_host(rest.substr(0, slash), address));
  if (slash == std::string_view::npos || slash + 1 == rest.size()) return address;
  ENFOLD_TRY(take_database(rest.substr(slash + 1), address));
  return address;
}

}  // namespace

std::string RedisAddress::shown() const {
  if (!socket.empty()) return fmt::format("redis+unix://{}?db={}", socket, database);
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format("redis://{}:{}/{}", is_ipv6 ? "[" + host + "]" : host, port, database);
}

Result<RedisAddress> parse_redis_url(std::string_view url) {
  constexpr std::string_view kTcp = "redis://";
  constexpr std::string_view kUnix = "redis+unix://";
  if (url.starts_with(kTcp)) return parse_tcp(url.substr(kTcp.size()));
  if (url.starts_with(kUnix)) return parse_socket(url.substr(kUnix.size()));
  if (url.starts_with("rediss://")) {
    return fail(ErrorCode::unsupported, "TLS to Redis is not supported", "",
                "Use a Unix socket or a private network, or a local TLS tunnel to the server.");
  }
  return bad("begins with neither redis:// nor redis+unix://");
}

}  // namespace enfold::store::detail

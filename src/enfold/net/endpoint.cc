// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/endpoint.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>

namespace enfold::net {
namespace {

constexpr int kBacklog = 4096;  // connections that wait for accept(); the system may allow fewer

struct FreeAddresses {
  void operator()(addrinfo* addresses) const { ::freeaddrinfo(addresses); }
};

const sockaddr* as_sockaddr(const sockaddr_storage& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}
sockaddr* as_sockaddr(sockaddr_storage& address) { return reinterpret_cast<sockaddr*>(&address); }

// `ask`: getsockname or getpeername. `what`: what it does, for the error "cannot WHAT".
template <class Ask>
Result<Endpoint> endpoint_of(int socket, Ask ask, std::string_view what) {
  Endpoint endpoint;
  endpoint.size = sizeof endpoint.address;
  if (ask(socket, as_sockaddr(endpoint.address), &endpoint.size) != 0)
    return tl::unexpected(system_error(what, errno));
  return endpoint;
}

Result<FileDescriptor> open_socket(const Endpoint& endpoint) {
  FileDescriptor socket(
      ::socket(endpoint.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return tl::unexpected(system_error("open a socket", errno));
  return socket;
}

void set_option(int socket, int level, int name, int value) {
  ::setsockopt(socket, level, name, &value, sizeof value);
}

// Detects a vanished peer after 30 seconds if output waits, else after 70 seconds: with
// TCP_USER_TIMEOUT one lost probe is enough. Accepted sockets inherit these options.
void set_connection_options(int socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 60);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 10);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 30'000);
}

// nullopt: not a number from 0 to 65535.
std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

bool is_host_character(char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == '_'; }

// Puts an IPv6 address, which has a colon, into brackets; returns any other host unchanged.
std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : fmt::format("[{}]", host);
}

}  // namespace

std::uint16_t Endpoint::port() const {
  if (address.ss_family == AF_UNIX) return 0;
  if (address.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    return ntohs(six.sin6_port);
  }
  sockaddr_in four{};
  std::memcpy(&four, &address, sizeof four);
  return ntohs(four.sin_port);
}

std::string Endpoint::host() const {
  if (address.ss_family == AF_UNIX) return "unix";
  std::array<char, NI_MAXHOST> host{};
  if (::getnameinfo(as_sockaddr(address), size, host.data(), host.size(), nullptr, 0,
                    NI_NUMERICHOST) != 0)
    return "(unknown)";
  return host.data();
}

std::string Endpoint::text() const {
  if (address.ss_family == AF_UNIX) return "unix:";
  const bool is_ipv6 = address.ss_family == AF_INET6;
  return fmt::format("{}{}{}:{}", is_ipv6 ? "[" : "", host(), is_ipv6 ? "]" : "", port());
}

std::string network_of(const std::string& host) {
  in6_addr address{};
  if (::inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &address) != 1) return host;
  if (IN6_IS_ADDR_LOOPBACK(&address)) return host;
  constexpr std::size_t kNetworkBytes = 8;
  std::fill(std::begin(address.s6_addr) + kNetworkBytes, std::end(address.s6_addr), 0);
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET6, &address, text.data(), text.size());
  return fmt::format("{}/64", text.data());
}

bool resolves_at_once(const std::string& host) {
  return host == "localhost" || is_numeric_address(host);
}

Result<std::vector<Endpoint>> resolve(const std::string& host, std::uint16_t port) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  const std::string name = host == "localhost" ? "127.0.0.1" : host;
  if (is_numeric_address(name)) wanted.ai_flags |= AI_NUMERICHOST;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(name.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0)
    return fail(error == EAI_AGAIN ? ErrorCode::unavailable : ErrorCode::not_found,
                fmt::format("cannot find the address of the host: {}", ::gai_strerror(error)), host,
                "check the name");
  const std::unique_ptr<addrinfo, FreeAddresses> all(found);
  std::vector<Endpoint> endpoints;
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next) {
    Endpoint endpoint;
    endpoint.size = one->ai_addrlen;
    std::memcpy(&endpoint.address, one->ai_addr, one->ai_addrlen);
    endpoints.push_back(endpoint);
  }
  return endpoints;
}

Result<FileDescriptor> listen_at(const Endpoint& endpoint) {
  ENFOLD_TRY(FileDescriptor listener, open_socket(endpoint));
  set_option(listener.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (endpoint.address.ss_family == AF_INET6)
    set_option(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1);
  set_connection_options(listener.get());
  if (::bind(listener.get(), as_sockaddr(endpoint.address), endpoint.size) != 0 ||
      ::listen(listener.get(), kBacklog) != 0)
    return tl::unexpected(system_error("listen", errno, endpoint.text()));
  return listener;
}

Result<Endpoint> local_endpoint(int socket) {
  return endpoint_of(socket, ::getsockname, "ask for the address of a socket");
}

Result<Endpoint> remote_endpoint(int socket) {
  return endpoint_of(socket, ::getpeername, "ask for the peer of a socket");
}

Result<FileDescriptor> start_connecting(const Endpoint& endpoint) {
  ENFOLD_TRY(FileDescriptor socket, open_socket(endpoint));
  set_connection_options(socket.get());
  if (::connect(socket.get(), as_sockaddr(endpoint.address), endpoint.size) != 0 &&
      errno != EINPROGRESS)
    return tl::unexpected(system_error("connect", errno, endpoint.text()));
  return socket;
}

bool is_numeric_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  return ::inet_pton(AF_INET, host.c_str(), ignored.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), ignored.data()) == 1;
}

bool is_loopback_name(std::string_view host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  std::string name = to_lower(host);
  if (name == "localhost") return true;
  in_addr four{};
  if (::inet_pton(AF_INET, name.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  return ::inet_pton(AF_INET6, name.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six) != 0;
}

Result<HostAndPort> parse_authority(std::string_view text) {
  const auto refuse = [text] {
    return fail(ErrorCode::invalid_input, fmt::format("\"{}\" is not HOST or HOST:PORT", text), {},
                "write it like localhost:8080 or [::1]:8080");
  };
  std::size_t host_end = 0;
  HostAndPort parts;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return refuse();
    parts.host = to_lower(text.substr(1, close - 1));
    in6_addr six{};
    // inet_pton() stops at a NUL character.
    if (parts.host.find('\0') != std::string::npos ||
        ::inet_pton(AF_INET6, parts.host.c_str(), &six) != 1)
      return refuse();
    host_end = close + 1;
  } else {
    host_end = std::min(text.find(':'), text.size());
    parts.host = to_lower(text.substr(0, host_end));
    if (parts.host.empty() || !std::ranges::all_of(parts.host, is_host_character)) return refuse();
  }
  if (host_end == text.size()) return parts;
  parts.port = text.substr(host_end + 1);
  if (text[host_end] != ':' || !parse_port(parts.port)) return refuse();
  return parts;
}

std::string Url::authority() const {
  const std::string name = bracketed(host);
  return port == (secure ? 443 : 80) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::origin() const {
  return fmt::format("{}://{}:{}", secure ? "https" : "http", bracketed(host), port);
}

std::string Url::shown() const { return origin() + target.substr(0, target.find('?')); }

Result<Url> parse_url(std::string_view text) {
  // The messages do not contain the URL: it may hold a secret.
  const auto refuse = [](std::string message) {
    return fail(ErrorCode::invalid_input, std::move(message), {},
                "write it like http://127.0.0.1:8080/mcp");
  };
  Url url;
  const std::size_t mark = text.find("://");
  const std::string scheme = to_lower(text.substr(0, std::min(mark, text.size())));
  if (mark == std::string_view::npos || (scheme != "http" && scheme != "https"))
    return refuse(fmt::format("expected a URL with http:// or https://, found {}",
                              mark == std::string_view::npos ? "no scheme" : scheme + "://"));
  url.secure = scheme == "https";
  text.remove_prefix(mark + 3);
  if (const std::size_t fragment = text.find('#'); fragment != std::string_view::npos)
    text = text.substr(0, fragment);
  const std::size_t path = std::min(text.find_first_of("/?"), text.size());
  const std::string_view authority = text.substr(0, path);
  if (authority.find('@') != std::string_view::npos)
    return refuse("expected a URL without a user, who belongs in a header Authorization");
  ENFOLD_TRY(HostAndPort parts, parse_authority(authority));
  url.host = std::move(parts.host);
  url.port = parts.port.empty() ? std::uint16_t{url.secure ? std::uint16_t{443} : std::uint16_t{80}}
                                : *parse_port(parts.port);
  if (url.port == 0) return refuse("expected a port from 1 to 65535 in the URL, found 0");
  url.target = text.substr(path);
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  const auto is_bad = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; };
  if (std::ranges::any_of(url.target, is_bad)) {
    return refuse("expected a URL without spaces and control characters");
  }
  return url;
}

}  // namespace enfold::net

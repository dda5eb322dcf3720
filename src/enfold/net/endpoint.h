// SPDX-License-Identifier: Apache-2.0
// Addresses that sockets listen on and connect to, and URLs.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/file_descriptor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

namespace enfold::net {

struct Endpoint {
  sockaddr_storage address{};  ///< IPv4, IPv6 or a Unix socket
  socklen_t size = 0;          ///< bytes of `address` that are used

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string host() const;  ///< "127.0.0.1", "::1"; "unix" for a Unix socket
  [[nodiscard]] std::string text() const;  ///< "127.0.0.1:80", "[::1]:80"; "unix:"
};

/// All addresses of the host, at least one; of "localhost" only 127.0.0.1. Blocks while the system
/// looks up the name, unless resolves_at_once().
[[nodiscard]] Result<std::vector<Endpoint>> resolve(const std::string& host, std::uint16_t port);
/// Whether resolve() returns without a lookup.
[[nodiscard]] bool resolves_at_once(const std::string& host);

/// A non-blocking socket that listens. On an IPv6 address it accepts no IPv4 connections.
[[nodiscard]] Result<FileDescriptor> listen_at(const Endpoint& endpoint);
[[nodiscard]] Result<Endpoint> local_endpoint(int socket);   ///< the socket's own address
[[nodiscard]] Result<Endpoint> remote_endpoint(int socket);  ///< the address of its peer
/// A non-blocking socket; it is writable when the connection is made or has failed.
[[nodiscard]] Result<FileDescriptor> start_connecting(const Endpoint& endpoint);

/// The owner under which an address is counted when places are shared (base/shares.h): of an IPv6
/// address its network, "2001:db8:0:1::/64", because one host may use every address of it. Any
/// other text is returned unchanged, and so is "::1".
[[nodiscard]] std::string network_of(const std::string& host);

/// Whether the host is an IPv4 or IPv6 address, without brackets.
[[nodiscard]] bool is_numeric_address(const std::string& host);
/// Whether the host is localhost, in 127.0.0.0/8 or ::1; with or without brackets, without a port.
[[nodiscard]] bool is_loopback_name(std::string_view host);

struct HostAndPort {
  std::string host;  ///< in lower case, without brackets
  std::string port;  ///< digits, a number up to 65535; empty: none was given
};
/// Parses "host", "host:80" or "[::1]:80"; `invalid_input` for anything else.
[[nodiscard]] Result<HostAndPort> parse_authority(std::string_view text);

struct Url {
  bool secure = false;  ///< https
  std::string host;     ///< in lower case, without brackets
  std::uint16_t port = 0;
  std::string target = "/";  ///< path and query, begins with a slash

  [[nodiscard]] std::string authority() const;  ///< for the Host field: without the default port
  [[nodiscard]] std::string origin() const;     ///< "http://host:80", always with its port
  /// Origin and path, for errors. Without the query, which may contain keys.
  [[nodiscard]] std::string shown() const;
};
/// http and https only. A user name is refused; a fragment is dropped.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

}  // namespace enfold::net

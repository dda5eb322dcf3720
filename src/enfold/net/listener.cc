// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/listener.h"

#include "enfold/net/endpoint.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace enfold::net {
namespace {

// The endpoint of a Unix socket.
Endpoint endpoint_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  Endpoint endpoint;
  endpoint.size = sizeof address;
  std::memcpy(&endpoint.address, &address, sizeof address);
  return endpoint;
}

std::string path_of(std::string_view host) { return std::string(host.substr(kUnixPrefix.size())); }

// Removes a socket file at which no program listens any more. Leaves anything else alone: a file
// that is not a socket, and a socket at which a program listens.
void remove_if_stale(const std::string& path, const Endpoint& endpoint) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  const FileDescriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const auto* const address = reinterpret_cast<const sockaddr*>(&endpoint.address);
  if (::connect(probe.get(), address, endpoint.size) != 0 && errno == ECONNREFUSED)
    ::unlink(path.c_str());
}

Error listen_error(int error_number, const std::string& path) {
  Error error = system_error("listen", error_number, std::string(kUnixPrefix) + path);
  if (error_number == EADDRINUSE) {
    error.hint = "stop the program that listens there, or choose another path";
  } else if (error_number == ENOENT || error_number == EACCES) {
    error.hint = "create its folder, writable for the user of this program";
  }
  return error;
}

}  // namespace

bool is_local_address(std::string_view host) {
  return is_unix_address(host) || is_loopback_name(host);
}

std::string origin_text(const std::string& host, std::uint16_t port, bool secure) {
  const std::string_view scheme = secure ? "https" : "http";
  if (is_unix_address(host)) return fmt::format("{}://{}:", scheme, host);
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", scheme, is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port);
}

Status check_unix_address(std::string_view host) {
  constexpr std::size_t kMaxPath = sizeof(sockaddr_un::sun_path) - 1;
  const std::string path = path_of(host);
  const bool is_usable = path.starts_with('/') && !path.ends_with('/') && path.size() <= kMaxPath &&
                         path.find('\0') == std::string::npos;
  if (is_usable) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("expected unix: and an absolute path of at most {} bytes, found \"{}\"",
                          kMaxPath, host),
              {}, "for example unix:/run/enfold/enfold.sock");
}

Result<Listener> Listener::open(const std::string& host, std::uint16_t port, mode_t socket_mode) {
  if (is_unix_address(host)) {
    ENFOLD_TRY(check_unix_address(host));
    return open_unix(path_of(host), socket_mode);
  }
  ENFOLD_TRY(const auto endpoints, resolve(host, port));
  Listener listener;
  ENFOLD_TRY(listener.socket_, listen_at(endpoints.front()));
  return listener;
}

Result<Listener> Listener::open_unix(const std::string& path, mode_t mode) {
  constexpr int kBacklog = 4096;
  const Endpoint endpoint = endpoint_at(path);
  remove_if_stale(path, endpoint);
  Listener listener;
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  // The mode is set before bind(), so that the file never has more rights than `mode`.
  const bool has_mode = socket && ::fchmod(socket.get(), mode) == 0;
  const auto* const address = reinterpret_cast<const sockaddr*>(&endpoint.address);
  if (!has_mode || ::bind(socket.get(), address, endpoint.size) != 0)
    return tl::unexpected(listen_error(errno, path));
  listener.file_ = path;
  struct stat file{};
  // And again after bind(), because the umask may have removed some of them.
  if (::lstat(path.c_str(), &file) != 0 || ::chmod(path.c_str(), mode) != 0 ||
      ::listen(socket.get(), kBacklog) != 0) {
    const int reason = errno;
    ::unlink(path.c_str());
    return tl::unexpected(listen_error(reason, path));
  }
  listener.socket_ = std::move(socket);
  listener.device_ = file.st_dev;
  listener.inode_ = file.st_ino;
  return listener;
}

Listener& Listener::operator=(Listener&& other) noexcept {
  if (this == &other) return *this;
  reset();
  socket_ = std::move(other.socket_);
  file_ = std::exchange(other.file_, {});
  device_ = other.device_;
  inode_ = other.inode_;
  return *this;
}

// Removes the socket file only if it is still the one that this listener has made.
void Listener::reset() {
  const std::string file = std::exchange(file_, {});
  struct stat found{};
  if (socket_ && !file.empty() && ::lstat(file.c_str(), &found) == 0 && found.st_dev == device_ &&
      found.st_ino == inode_)
    ::unlink(file.c_str());
  socket_.reset();
}

}  // namespace enfold::net

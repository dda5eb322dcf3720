// SPDX-License-Identifier: Apache-2.0
// A socket that listens: at a host and port, or at the path of a Unix socket, "unix:/run/x.sock".
#pragma once

#include "enfold/net/file_descriptor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace enfold::net {

inline constexpr std::string_view kUnixPrefix = "unix:";
/// Owner and group may connect.
inline constexpr mode_t kSocketMode = 0660;

/// Whether `host` is the path of a Unix socket, with the prefix.
[[nodiscard]] inline bool is_unix_address(std::string_view host) {
  return host.starts_with(kUnixPrefix);
}
/// Whether only programs of this machine can connect: a loopback name or a Unix socket.
[[nodiscard]] bool is_local_address(std::string_view host);
/// "http://127.0.0.1:80"; for a Unix socket "http://unix:/run/x.sock:", which a path of a URL may
/// follow, as in nginx.
[[nodiscard]] std::string origin_text(const std::string& host, std::uint16_t port, bool secure);
/// `invalid_input` if no socket can have this path: it must be absolute and fit into an address.
[[nodiscard]] Status check_unix_address(std::string_view host);

class Listener {
 public:
  Listener() = default;
  /// Of several addresses of a host the first is used. `socket_mode`: the rights of a Unix socket.
  /// A socket file where no program listens any more is replaced.
  [[nodiscard]] static Result<Listener> open(const std::string& host, std::uint16_t port,
                                             mode_t socket_mode = kSocketMode);
  Listener(Listener&& other) noexcept = default;
  Listener& operator=(Listener&& other) noexcept;
  ~Listener() { reset(); }

  explicit operator bool() const { return static_cast<bool>(socket_); }
  [[nodiscard]] int get() const { return socket_.get(); }  ///< the socket's descriptor
  /// Closes the socket and removes its file, unless another program has replaced the file.
  void reset();

 private:
  static Result<Listener> open_unix(const std::string& path, mode_t mode);

  FileDescriptor socket_;
  std::string file_;  ///< path of a Unix socket; else empty
  dev_t device_ = 0;  ///< device and inode of the file, to recognise it
  ino_t inode_ = 0;
};

}  // namespace enfold::net

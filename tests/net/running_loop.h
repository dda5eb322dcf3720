// SPDX-License-Identifier: Apache-2.0
// A loop that a test turns until something has happened, and raw sockets and pipes to torment it
// with.
#pragma once

#include "enfold/net/loop.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace enfold::net {

class RunningLoop {
 public:
  RunningLoop() : loop_(Loop::create().value()) {}
  Loop& operator*() { return *loop_; }
  Loop* operator->() { return loop_.get(); }

  /// False when it has not happened within the limit, which no passing test comes near.
  template <class Predicate>
  bool until(Predicate done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      loop_->turn(std::chrono::milliseconds(5));
    }
    return true;
  }
  /// Lets everything happen that is ready to happen.
  void settle() {
    for (int i = 0; i < 5; ++i) loop_->turn(Duration::zero());
  }
  /// Until it has happened or nothing happens any more. What goes over loopback in one process is
  /// there after a few turns, so a handful of idle ones is the end.
  template <class Predicate>
  void until_quiet(Predicate done) {
    for (int i = 0; i < 20 && !done(); ++i) loop_->turn(Duration::zero());
  }

 private:
  std::unique_ptr<Loop> loop_;
};

/// The other end of a connection: a socket without manners.
class RawPeer {
 public:
  explicit RawPeer(int socket) : socket_(socket) {
    ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
  }
  static RawPeer to_port(std::uint16_t port, int receive_buffer = 0) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (receive_buffer > 0)
      ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0)
        << std::strerror(errno);
    return RawPeer(socket);
  }

  /// How much the system took.
  std::size_t send(std::string_view bytes) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }
  /// Everything that has arrived so far, since the beginning.
  const std::string& received() {
    std::array<char, 65536> buffer;
    for (;;) {
      const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (got > 0) {
        received_.append(buffer.data(), static_cast<std::size_t>(got));
        continue;
      }
      if (got == 0) ended_ = true;
      if (got < 0 && errno != EAGAIN) broken_ = ended_ = true;
      return received_;
    }
  }
  bool has_ended() {
    (void)received();
    return ended_;
  }
  bool was_reset() const { return broken_; }
  bool has(std::string_view text) { return received().find(text) != std::string::npos; }
  void forget() { received_.clear(); }
  void stop_sending() { ::shutdown(socket_.get(), SHUT_WR); }
  void close() { socket_.reset(); }
  /// As a machine does whose process is gone: a reset instead of an end.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    socket_.reset();
  }
  int descriptor() const { return socket_.get(); }

 private:
  FileDescriptor socket_;
  std::string received_;
  bool ended_ = false;
  bool broken_ = false;
};

inline std::size_t count_of(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

}  // namespace enfold::net

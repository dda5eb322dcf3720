// SPDX-License-Identifier: Apache-2.0
#include "tests/store/slow_proxy.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace enfold::store::testing {
namespace {

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  return address;
}

}  // namespace

SlowProxy::SlowProxy(std::string server_socket, std::chrono::microseconds round_trip)
    : server_socket_(std::move(server_socket)), delay_(round_trip / 2) {
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(folder_.file("proxy"));
  EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(listen(listener_, 128), 0);
  thread_ = std::thread([this] { run(); });
}

SlowProxy::~SlowProxy() {
  stops_ = true;
  thread_.join();
  close(listener_);
  for (const Pipe& pipe : pipes_) close(pipe.from);
}

void SlowProxy::lead_to(const std::string& server_socket) {
  const std::scoped_lock lock(mutex_);
  server_socket_ = server_socket;
}

void SlowProxy::accept_one() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  ++accepted_;
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const std::scoped_lock lock(mutex_);
  const sockaddr_un address = address_of(server_socket_);
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(client);
    close(server);
    return;
  }
  pipes_.push_back({client, server, {}});
  pipes_.push_back({server, client, {}});
}

void SlowProxy::move(Pipe& pipe, bool readable) {
  if (readable) {
    std::array<char, 65536> buffer{};
    const ssize_t got = recv(pipe.from, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) {
      pipe.pieces.push_back({Clock::now() + delay_, {buffer.data(), std::size_t(got)}});
    } else {
      pipe.ended = true;
    }
  }
  while (!pipe.pieces.empty() && pipe.pieces.front().due <= Clock::now()) {
    const std::string& bytes = pipe.pieces.front().bytes;
    const ssize_t sent = send(pipe.to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(bytes.size())) pipe.ended = true;
    pipe.pieces.pop_front();
  }
}

void SlowProxy::run() {
  prctl(PR_SET_TIMERSLACK, 1000UL);  // nanoseconds; the default adds 50 µs to each wait
  while (!stops_) {
    std::vector<pollfd> wanted{{listener_, POLLIN, 0}};
    auto wake = Clock::now() + std::chrono::milliseconds(20);
    for (const Pipe& pipe : pipes_) {
      wanted.push_back({pipe.from, POLLIN, 0});
      if (!pipe.pieces.empty()) wake = std::min(wake, pipe.pieces.front().due);
    }
    const auto wait = std::max(Clock::duration::zero(), wake - Clock::now());
    const timespec time{0, std::chrono::nanoseconds(wait).count()};
    ppoll(wanted.data(), wanted.size(), &time, nullptr);
    std::size_t at = 0;
    for (Pipe& pipe : pipes_) move(pipe, wanted[++at].revents != 0);
    // Both directions of a connection are neighbours and end together.
    for (auto pipe = pipes_.begin(); pipe != pipes_.end();) {
      const auto other = std::next(pipe);
      const bool ended = pipe->ended || other->ended;
      if (ended) {
        close(pipe->from);
        close(pipe->to);
      }
      pipe = ended ? pipes_.erase(pipe, std::next(other)) : std::next(other);
    }
    if (wanted[0].revents != 0) accept_one();
  }
}

}  // namespace enfold::store::testing

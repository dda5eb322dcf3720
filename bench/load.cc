// SPDX-License-Identifier: Apache-2.0
#include "bench/load.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/tcp.h>
#include <optional>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace enfold::bench {
namespace {

using Clock = std::chrono::steady_clock;

int connect_to(std::uint16_t port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    give_up(fmt::format("no connection to port {}: {}", port, std::strerror(errno)));
  }
  const int yes = 1;
  setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return made;
}

struct Extent {
  std::size_t head;  ///< with the empty line
  std::size_t whole;
  bool chunked;
};

bool has_field(std::string_view head, std::string_view name, std::string_view& value) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;
       at = head.find("\r\n", at + 2)) {
    const std::string_view line = head.substr(at + 2);
    if (line.size() < name.size() || line[name.size()] != ':' ||
        strncasecmp(line.data(), name.data(), name.size()) != 0) {
      continue;
    }
    value = line.substr(name.size() + 1, line.find("\r\n") - name.size() - 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    return true;
  }
  return false;
}

// Where the answer ends, when all of it is there.
std::optional<Extent> extent_of(std::string_view bytes) {
  constexpr std::string_view kLastChunk = "\r\n0\r\n\r\n";
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view head = bytes.substr(0, end + 2);
  std::string_view value;
  if (has_field(head, "content-length", value)) {
    const std::size_t whole = end + 4 + std::strtoull(std::string(value).c_str(), nullptr, 10);
    if (bytes.size() < whole) return std::nullopt;
    return Extent{end + 4, whole, false};
  }
  if (has_field(head, "transfer-encoding", value)) {
    if (!bytes.ends_with(kLastChunk)) return std::nullopt;
    return Extent{end + 4, bytes.size(), true};
  }
  return Extent{end + 4, end + 4, false};
}

std::string unchunked(std::string_view body) {
  std::string out;
  while (true) {
    const std::size_t line = body.find("\r\n");
    const std::size_t size = std::strtoull(std::string(body.substr(0, line)).c_str(), nullptr, 16);
    if (line == std::string_view::npos || size == 0) return out;
    out += body.substr(line + 2, size);
    body.remove_prefix(line + size + 4);
  }
}

Answer answer_of(std::string_view bytes, const Extent& extent) {
  const std::string_view body = bytes.substr(extent.head, extent.whole - extent.head);
  return {std::atoi(std::string(bytes.substr(9, 3)).c_str()),
          std::string(bytes.substr(0, extent.head)),
          extent.chunked ? unchunked(body) : std::string(body)};
}

}  // namespace

void give_up(const std::string& why) {
  fmt::print(stderr, "error: {}\n", why);
  std::exit(1);
}

double LoadResult::quantile(double share) {
  if (waits.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(waits.size() - 1));
  std::nth_element(waits.begin(), waits.begin() + at, waits.end());
  return waits[static_cast<std::size_t>(at)];
}

Connection::Connection(std::uint16_t port) : socket_(connect_to(port)) {}
Connection::Connection(Connection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
Connection::~Connection() {
  if (socket_ >= 0) close(socket_);
}

Answer Connection::exchange(const std::string& request) const {
  if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size())) {
    give_up("a request could not be sent");
  }
  std::string bytes;
  std::array<char, 16'384> room;
  while (true) {
    const ssize_t got = recv(socket_, room.data(), room.size(), 0);
    if (got <= 0) give_up("the server closed the connection before its answer");
    bytes.append(room.data(), static_cast<std::size_t>(got));
    if (const auto extent = extent_of(bytes)) return answer_of(bytes, *extent);
  }
}

std::string post(std::uint16_t port, const std::string& fields, const std::string& body) {
  return fmt::format(
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\n{}Content-Length: {}\r\n\r\n{}",
      port, fields, body.size(), body);
}

struct Load::Peer {
  std::string request;
  int socket = -1;
  std::string bytes;
  Clock::time_point sent;
};

Load::Load(std::uint16_t port, const std::vector<std::string>& requests)
    : poll_(epoll_create1(EPOLL_CLOEXEC)) {
  for (const std::string& request : requests) {
    auto peer = std::make_unique<Peer>();
    peer->request = request;
    peer->socket = connect_to(port);
    fcntl(peer->socket, F_SETFL, fcntl(peer->socket, F_GETFL) | O_NONBLOCK);
    epoll_event event{.events = EPOLLIN, .data = {.ptr = peer.get()}};
    epoll_ctl(poll_, EPOLL_CTL_ADD, peer->socket, &event);
    peers_.push_back(std::move(peer));
  }
}

Load::~Load() {
  for (const auto& peer : peers_) close(peer->socket);
  close(poll_);
}

void Load::send(Peer& peer) {
  peer.sent = Clock::now();
  if (::send(peer.socket, peer.request.data(), peer.request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(peer.request.size())) {
    give_up(fmt::format("a request could not be sent: {}", std::strerror(errno)));
  }
}

// True: the answer is complete.
bool Load::read(Peer& peer) {
  std::array<char, 65'536> room;
  const ssize_t got = recv(peer.socket, room.data(), room.size(), 0);
  if (got < 0 && errno == EAGAIN) return false;
  if (got <= 0) give_up("a server closed a connection under load");
  peer.bytes.append(room.data(), static_cast<std::size_t>(got));
  return extent_of(peer.bytes).has_value();
}

LoadResult Load::run(double seconds) {
  LoadResult result;
  result.waits.reserve(static_cast<std::size_t>(seconds * 200'000));
  std::array<epoll_event, 64> events{};
  const auto began = Clock::now();
  const auto until =
      began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  for (const auto& peer : peers_) send(*peer);
  std::size_t open = peers_.size();
  while (open > 0) {
    const int ready = epoll_wait(poll_, events.data(), static_cast<int>(events.size()), 10'000);
    if (ready <= 0) give_up("no answer for ten seconds");
    for (int i = 0; i < ready; ++i) {
      Peer& peer = *static_cast<Peer*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (!read(peer)) continue;
      if (!peer.bytes.starts_with("HTTP/1.1 200")) give_up("expected 200, found: " + peer.bytes);
      if (result.answers++ == 0) {
        result.first_body = answer_of(peer.bytes, *extent_of(peer.bytes)).body;
      }
      peer.bytes.clear();
      const auto now = Clock::now();
      result.waits.push_back(static_cast<std::uint32_t>(
          std::chrono::duration_cast<std::chrono::microseconds>(now - peer.sent).count()));
      now < until ? send(peer) : static_cast<void>(--open);
    }
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return result;
}

}  // namespace enfold::bench

// SPDX-License-Identifier: Apache-2.0
// Any bytes as the replies of a Redis server, over a socket: the connection ends in replies or in
// an error that says why, no reply makes a rate limit lax, and an entry of the archive is read as
// it was written.
#include "enfold/store/redis/records.h"
#include "enfold/store/redis/wire.h"
#include "fuzz/check.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace enfold::fuzz {
namespace {

using namespace store::detail;

/// A server that a client can connect to without a second thread: the system completes the
/// connection before it is accepted.
class Listener {
 public:
  Listener() {
    address_.socket =
        std::filesystem::temp_directory_path() / fmt::format("enfold-fuzz-redis-{}", ::getpid());
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, address_.socket.c_str(), sizeof name.sun_path - 1);
    ::unlink(name.sun_path);
    socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(::bind(socket_, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 &&
                ::listen(socket_, 8) == 0,
            "the target can listen", address_.socket);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() {
    ::close(socket_);
    ::unlink(address_.socket.c_str());
  }

  [[nodiscard]] const RedisAddress& address() const { return address_; }
  /// Accepts the connection that waits, sends the bytes and closes it.
  void answer(std::string_view bytes) const {
    const int peer = ::accept(socket_, nullptr, nullptr);
    (void)::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ::shutdown(peer, SHUT_WR);
    ::close(peer);
  }

 private:
  RedisAddress address_;
  int socket_ = -1;
};

void look_at(ReplyView reply, const RedisAddress& address, int depth, std::string_view input) {
  if (reply.is_error()) {
    (void)needs_new_connection(reply.text());
    require(!error_of(reply.text(), address).message.empty(), "an error has a message", input);
  }
  const Bucket bucket(store::RateLimit{.per_minute = 60, .burst = 3});
  const auto decision = bucket.answer(true, bucket.debt(reply.number(), 0));
  require(decision.remaining <= 3, "no reply allows more than the burst", input);
  if (auto row = decode_row(reply[0].text(), reply[1].text()))
    (void)decompress(row->codec, reply[2].text(), row->size, row->hash);
  if (depth == 0) return;
  for (std::size_t i = 0; i < reply.size(); ++i) look_at(reply[i], address, depth - 1, input);
  require(reply[reply.size()].is_null(), "nothing is behind a list", input);
}

void check_wire(std::string_view input) {
  static const Listener listener;
  auto wire = RedisWire::connect(listener.address(), std::chrono::seconds(5));
  require(wire.has_value(), "the target can connect", input);
  for (int i = 0; i < 8; ++i) {
    RedisRequest request;
    request.add({"PING"});
    (*wire)->add(std::move(request));
  }
  (void)(*wire)->write();
  listener.answer(input);
  std::size_t replies = 0;
  for (std::size_t step = 0; step < 64; ++step) {
    const Status read = (*wire)->read([&](const RedisRequest&, const Reply& reply) {
      ++replies;
      look_at(reply.view(), listener.address(), 6, input);
    });
    if (read) continue;
    require(!read.error().message.empty(), "a lost connection says why", input);
    break;
  }
  require(replies <= 8 && (*wire)->take_back().size() == 8 - replies, "one reply each", input);
}

void check_entry(std::string_view input) {
  const std::string hash(64, 'a');
  (void)decode_row(input.substr(0, 64), input);
  (void)decode_row(hash, input);
  (void)parse_redis_url(input);
  const store::Meta meta{.tool = std::string(input.substr(0, input.size() / 2)),
                         .arguments_hash = std::string(input.substr(input.size() / 2)),
                         .media_type = std::string(input)};
  const auto row = decode_row(hash, "123456789012 5 6 1 7 8\n" + encode_meta(meta));
  require(row && row->meta == meta && row->size == 5 && row->handle == "123456789012",
          "an entry comes back", input);
}

void check(std::string_view input) {
  check_wire(input);
  check_entry(input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/wire.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <iterator>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <system_error>
#include <utility>

namespace enfold::store::detail {
namespace {

constexpr const char* kHint = "See that the server runs and that this is its address.";
constexpr std::size_t kPiecesAtOnce = 64;       // texts that one system call writes
constexpr std::size_t kReadAtOnce = 64 * 1024;  // bytes

// Whether the system call that failed has to be repeated later.
bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// The text without its first `skip` bytes.
iovec piece_of(const std::string& text, std::size_t skip) {
  return {const_cast<char*>(text.data()) + skip, text.size() - skip};
}

}  // namespace

Error late_answer(const RedisAddress& address, std::chrono::milliseconds timeout) {
  return {ErrorCode::timed_out,
          fmt::format("cannot talk to Redis: no answer within {} ms", timeout.count()),
          address.shown(), kHint};
}

void RedisRequest::add(const Words& more) {
  std::size_t size = text.size();
  for (const std::string_view word : more) size += word.size() + 32;
  text.reserve(size);
  for (const std::string_view word : more) {
    fmt::format_to(std::back_inserter(text), "${}\r\n", word.size());
    text.append(word).append("\r\n");
  }
  words += more.size();
}

Result<std::unique_ptr<RedisWire>> RedisWire::connect(const RedisAddress& address,
                                                      std::chrono::milliseconds timeout) {
  const timeval wait{static_cast<time_t>(timeout.count() / 1000),
                     static_cast<suseconds_t>(timeout.count() % 1000 * 1000)};
  const auto began = Clock::now();
  redisContext* const context =
      address.socket.empty() ? redisConnectWithTimeout(address.host.c_str(), address.port, wait)
                             : redisConnectUnixWithTimeout(address.socket.c_str(), wait);
  std::unique_ptr<RedisWire> wire(new RedisWire(address, context));
  if (context == nullptr) return wire->lost("out of memory");
  if (context->err == 0) return wire;
  if (context->err == REDIS_ERR_IO && Clock::now() - began >= timeout) {
    return tl::unexpected(late_answer(address, timeout));
  }
  return fail(ErrorCode::unavailable,
              fmt::format("cannot connect to Redis: {}", std::string_view(context->errstr)),
              address.shown(), kHint);
}

RedisWire::~RedisWire() {
  if (context_ != nullptr) redisFree(context_);
}

int RedisWire::descriptor() const { return context_->fd; }

tl::unexpected<Error> RedisWire::lost(std::string_view why) const {
  return fail(ErrorCode::unavailable, fmt::format("cannot talk to Redis: {}", why),
              address_.shown(), kHint);
}

void RedisWire::add(RedisRequest request) {
  std::string head =
      request.script == nullptr
          ? fmt::format("*{}\r\n", request.words)
          : fmt::format("*{}\r\n$7\r\nEVALSHA\r\n${}\r\n{}\r\n", request.words + 2,
                        script_ids_[request.script].size(), script_ids_[request.script]);
  if (requests_.empty()) progress_ = Clock::now();
  requests_.push_back({std::move(request), std::move(head)});
}

Status RedisWire::write() {
  while (has_output()) {
    std::array<iovec, kPiecesAtOnce> pieces{};
    std::size_t count = 0;
    std::size_t skip = written_;
    for (std::size_t at = unwritten_; at < requests_.size() && count + 2 <= pieces.size(); ++at) {
      const auto& [request, head] = requests_[at];
      if (skip < head.size()) pieces[count++] = piece_of(head, skip);
      pieces[count++] = piece_of(request.text, skip > head.size() ? skip - head.size() : 0);
      skip = 0;
    }
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = count;
    const ssize_t sent = sendmsg(context_->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && would_block()) return {};
    if (sent < 0) return lost(std::generic_category().message(errno));
    // The operating system buffers some requests even if the server has stopped, so only bytes of
    // the oldest request count as progress.
    if (unwritten_ == 0) progress_ = Clock::now();
    written_ += static_cast<std::size_t>(sent);
    while (has_output()) {
      const auto& [request, head] = requests_[unwritten_];
      if (written_ < head.size() + request.text.size()) break;
      written_ -= head.size() + request.text.size();
      ++unwritten_;
    }
  }
  return {};
}

Status RedisWire::read(const OnReply& on_reply) {
  std::array<char, kReadAtOnce> buffer;
  for (ssize_t got = static_cast<ssize_t>(buffer.size());
       got == static_cast<ssize_t>(buffer.size());) {
    got = recv(context_->fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got == 0) return lost("the server closed the connection");
    if (got < 0 && would_block()) return {};
    if (got < 0) return lost(std::generic_category().message(errno));
    progress_ = Clock::now();
    redisReaderFeed(context_->reader, buffer.data(), static_cast<std::size_t>(got));
    for (;;) {
      void* raw = nullptr;
      if (redisReaderGetReply(context_->reader, &raw) != REDIS_OK) return lost("a broken reply");
      if (raw == nullptr) break;
      Reply reply(static_cast<redisReply*>(raw));
      if (unwritten_ == 0) return lost("a reply to no request");
      RedisRequest request = std::move(requests_.front().request);
      requests_.pop_front();
      --unwritten_;
      on_reply(std::move(request), std::move(reply));
    }
  }
  return {};
}

std::optional<RedisWire::Clock::time_point> RedisWire::waits_since() const {
  if (requests_.empty()) return std::nullopt;
  return progress_;
}

Result<std::vector<Reply>> RedisWire::exchange(const std::vector<Words>& commands,
                                               Clock::time_point deadline) {
  for (const Words& words : commands) {
    RedisRequest request;
    request.add(words);
    add(std::move(request));
  }
  std::vector<Reply> replies;
  while (replies.size() < commands.size()) {
    ENFOLD_TRY(write());
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return fail(ErrorCode::timed_out, "");
    pollfd wanted{context_->fd, static_cast<short>(has_output() ? POLLIN | POLLOUT : POLLIN), 0};
    if (poll(&wanted, 1, static_cast<int>(left.count())) <= 0) continue;
    ENFOLD_TRY(read([&](RedisRequest, Reply reply) { replies.push_back(std::move(reply)); }));
  }
  return replies;
}

std::deque<RedisRequest> RedisWire::take_back() {
  std::deque<RedisRequest> left;
  for (Open& open : requests_) left.push_back(std::move(open.request));
  requests_.clear();
  unwritten_ = written_ = 0;
  return left;
}

}  // namespace enfold::store::detail

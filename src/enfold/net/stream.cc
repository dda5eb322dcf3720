// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/stream.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace enfold::net {
namespace {

// After this many reads of the loop's scratch buffer other descriptors get their turn.
constexpr int kReadsPerEvent = 8;
constexpr std::size_t kPiecesPerWrite = 64;

bool would_block(int error_number) {
  return error_number == EAGAIN || error_number == EWOULDBLOCK || error_number == EINTR;
}

IoResult io_result(ssize_t result) {
  if (result > 0) return {IoResult::Outcome::done, static_cast<std::size_t>(result), 0, {}};
  if (result == 0) return {IoResult::Outcome::ended, 0, 0, {}};
  const int error_number = errno;
  if (would_block(error_number)) return {};
  return {IoResult::Outcome::broken, 0, error_number, {}};
}

mode_t kind_of(int descriptor) {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 ? about.st_mode : 0;
}

int pending_error(int socket) {
  int error_number = 0;
  socklen_t size = sizeof error_number;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error_number, &size) != 0) return errno;
  return error_number;
}

}  // namespace

Status Stream::open(FileDescriptor descriptor, Direction direction) {
  reset_state();
  descriptor_ = std::move(descriptor);
  direction_ = direction;
  const mode_t kind = kind_of(descriptor_.get());
  is_socket_ = S_ISSOCK(kind);
  gives_all_ = is_socket_ || S_ISFIFO(kind);
  writable_ = true;
  state_ = State::open;
  return watch();
}

Status Stream::open_connecting(FileDescriptor socket) {
  reset_state();
  descriptor_ = std::move(socket);
  is_socket_ = true;
  gives_all_ = true;
  state_ = State::connecting;
  return watch();
}

// The stream may have been open before: a client tries one address after the other.
void Stream::reset_state() {
  sent_ = 0;
  direction_ = Direction::both;
  paused_ = readable_ = writable_ = hung_up_ = false;
  input_ended_ = output_ended_ = output_broken_ = finishing_ = offer_kept_ = false;
}

Status Stream::watch() {
  Status added = watch_.add(loop_, descriptor_.get(), [this](Readiness ready) { on_ready(ready); });
  if (!added) {
    close();
    return added;
  }
  if (watch_.is_always_ready()) {
    readable_ = true;
    watch_.wake();
  }
  return {};
}

void Stream::use_tls(std::unique_ptr<TlsSession> session) {
  tls_ = std::move(session);
  if (state_ == State::open) state_ = State::handshaking;
  watch_.wake();
}

void Stream::on_ready(Readiness ready) {
  // TLS may have to read in order to write, and the other way round.
  if (tls_ && (ready.input || ready.output)) ready.input = ready.output = true;
  readable_ |= ready.input;
  writable_ |= ready.output;
  hung_up_ |= ready.hang_up;
  busy_ = true;
  if (state_ == State::open || establish()) {
    if (std::exchange(offer_kept_, false) && !paused_) deliver_kept();
    read_some();
    if (ready.hang_up && is_open()) notice_hang_up(ready.broken);
  }
  busy_ = false;
  if (!is_open()) return;
  // The output of one turn is sent at its end: waking a peer on another processor costs more than
  // writing to it, and so it is woken once for many messages.
  const bool is_news = ready.input || ready.output || ready.hang_up;
  if (is_news && state_ == State::open && writable_ && !output_.empty()) {
    watch_.wake();
  } else {
    send_queued();
  }
}

bool Stream::establish() {
  if (state_ == State::connecting) {
    if (!writable_) return false;
    if (const int error_number = pending_error(descriptor_.get()); error_number != 0) {
      break_off("connect", {IoResult::Outcome::broken, 0, error_number, {}});
      return false;
    }
    state_ = tls_ ? State::handshaking : State::open;
  }
  if (state_ == State::handshaking) {
    IoResult result = tls_->handshake();
    if (result.outcome == IoResult::Outcome::would_block) return false;
    if (result.outcome != IoResult::Outcome::done) {
      break_off("agree on TLS with the peer", result);
      return false;
    }
    state_ = State::open;
    readable_ = writable_ = true;
  }
  if (state_ != State::open) return false;
  owner_.on_open();
  return is_open();
}

// Tells the owner that the peer has gone away while input is paused.
void Stream::notice_hang_up(bool broken) {
  if (direction_ == Direction::output) {
    if (broken) break_off("write", {IoResult::Outcome::broken, 0, EPIPE, {}});
    return;
  }
  if (!paused_ || input_ended_) return;
  if (broken && is_socket_) {
    if (const int error_number = pending_error(descriptor_.get()); error_number != 0) {
      break_off("read", {IoResult::Outcome::broken, 0, error_number, {}});
      return;
    }
  }
  owner_.on_hang_up();
}

void Stream::read_some() {
  if (direction_ == Direction::output) return;
  for (int reads = 0; readable_ && !paused_ && !input_ended_ && is_open(); ++reads) {
    if (reads == kReadsPerEvent) {
      watch_.wake();
      return;
    }
    const IoResult result = read_once();
    switch (result.outcome) {
      case IoResult::Outcome::done:
        // A short read has emptied the descriptor: what comes later is told by a new event.
        if (gives_all_ && !tls_ && !hung_up_ && result.bytes < loop_.scratch().size())
          readable_ = false;
        deliver({loop_.scratch().data(), result.bytes});
        break;
      case IoResult::Outcome::would_block:
        readable_ = false;
        if (output_broken_) break_off("write", {IoResult::Outcome::broken, 0, EPIPE, {}});
        break;
      case IoResult::Outcome::ended:
        input_ended_ = true;
        owner_.on_end();
        break;
      case IoResult::Outcome::broken: break_off("read", result); break;
    }
  }
}

IoResult Stream::read_once() {
  const std::span<char> into = loop_.scratch();
  if (tls_) return tls_->read(into);
  if (is_socket_)
    return io_result(::recv(descriptor_.get(), into.data(), into.size(), MSG_DONTWAIT));
  return io_result(::read(descriptor_.get(), into.data(), into.size()));
}

void Stream::deliver(std::string_view bytes) {
  if (!input_.empty()) {
    input_.append(bytes);
    deliver_kept();
    return;
  }
  const std::size_t used = owner_.on_bytes(bytes);
  if (is_open() && used < bytes.size()) input_.assign(bytes.substr(used));
}

void Stream::deliver_kept() {
  if (input_.empty()) return;
  delivering_ = true;
  const std::size_t used = owner_.on_bytes(input_);
  delivering_ = false;
  if (!is_open() || used == input_.size())
    std::string().swap(input_);
  else
    input_.erase(0, used);
}

void Stream::resume() {
  if (!paused_) return;
  paused_ = false;
  offer_kept_ = !input_.empty();
  watch_.wake();
}

void Stream::write(std::string bytes) {
  if (!is_open() || finishing_ || output_broken_) return;
  output_.push(std::move(bytes));
  if (!busy_) watch_.wake();
}

void Stream::flush() {
  if (!busy_ && state_ == State::open) send_queued();
}

void Stream::send_queued() {
  if (state_ != State::open || output_broken_) return;
  const bool tried = !output_.empty();
  while (!output_.empty() && writable_) {
    const IoResult result = write_once();
    if (result.outcome == IoResult::Outcome::done) {
      output_.pop(result.bytes);
      sent_ += result.bytes;
    } else if (result.outcome == IoResult::Outcome::would_block) {
      writable_ = false;
    } else {
      output_broke(result);
      return;
    }
  }
  if (tried) owner_.on_sent();
  if (is_open()) end_output_if_drained();
}

IoResult Stream::write_once() {
  if (tls_) return tls_->write(output_.front());
  std::array<iovec, kPiecesPerWrite> pieces;  // NOLINT: filled as far as it is used
  const std::size_t count = output_.gather(pieces);
  if (!is_socket_)
    return io_result(::writev(descriptor_.get(), pieces.data(), static_cast<int>(count)));
  if (count == 1)
    return io_result(::send(descriptor_.get(), pieces[0].iov_base, pieces[0].iov_len,
                            MSG_NOSIGNAL | MSG_DONTWAIT));
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = count;
  return io_result(::sendmsg(descriptor_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}

// The peer may have sent an answer (often a refusal) before it stopped reading: that is still read.
void Stream::output_broke(const IoResult& result) {
  output_broken_ = true;
  output_.clear();
  if (direction_ == Direction::output || input_ended_ || paused_) {
    break_off("write", result);
    return;
  }
  readable_ = true;
  watch_.wake();
}

void Stream::finish_output() {
  finishing_ = true;
  if (!busy_) watch_.wake();
}

void Stream::end_output_if_drained() {
  if (!finishing_ || output_ended_ || !output_.empty()) return;
  output_ended_ = true;
  if (tls_) tls_->close_notify();
  if (direction_ == Direction::output)
    close();
  else if (is_socket_)
    ::shutdown(descriptor_.get(), SHUT_WR);
}

void Stream::break_off(std::string_view what, const IoResult& result) {
  Error error;
  if (result.error_number != 0)
    error = system_error(what, result.error_number);
  else
    error = {ErrorCode::unavailable,
             fmt::format("cannot {}: {}", what,
                         result.reason.empty() ? "the peer broke off" : result.reason),
             {},
             {}};
  close();
  owner_.on_failure(error);
}

void Stream::close() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  watch_.remove();
  if (tls_) tls_->close_notify();
  tls_.reset();
  descriptor_.reset();
  output_.clear();
  if (!delivering_) std::string().swap(input_);
}

}  // namespace enfold::net

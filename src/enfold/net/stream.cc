// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace enfold::net {
namespace {

// Queued pieces are joined up to this size.
constexpr std::size_t kMaxJoinedBytes = std::size_t{16} << 10;
// An empty queue keeps its vector if the vector has room for no more pieces than this.
constexpr std::size_t kKeptPieces = 2;
// Sent pieces leave the vector when there are this many, so that the others are seldom moved.
constexpr std::size_t kSentPieces = 64;
constexpr std::size_t kPiecesPerWrite = 64;  // of one writev() or sendmsg()

bool would_block(int error_number) {
  return error_number == EAGAIN || error_number == EWOULDBLOCK || error_number == EINTR;
}

IoResult io_result(ssize_t result) {
  if (result > 0)
    return {.outcome = IoResult::Outcome::done, .bytes = static_cast<std::size_t>(result)};
  if (result == 0) return {.outcome = IoResult::Outcome::ended};
  const int error_number = errno;
  if (would_block(error_number)) return {};
  return {.outcome = IoResult::Outcome::broken, .error_number = error_number};
}

// 0: not known.
mode_t kind_of(int descriptor) {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 ? about.st_mode : 0;
}

// After this many reads in one on_ready() the loop serves other descriptors; wake() continues.
constexpr int kReadsPerEvent = 8;

}  // namespace

namespace detail {

void OutputQueue::push(std::string bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  if (first_ < pieces_.size() && pieces_.back().size() + bytes.size() <= kMaxJoinedBytes)
    pieces_.back() += bytes;
  else
    pieces_.push_back(std::move(bytes));
}

void OutputQueue::pop(std::size_t bytes) {
  size_ -= bytes;
  if (size_ == 0) {
    clear();
    return;
  }
  offset_ += bytes;
  while (offset_ >= pieces_[first_].size()) {
    offset_ -= pieces_[first_].size();
    pieces_[first_] = std::string();
    ++first_;
  }
  if (first_ < kSentPieces) return;
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

void OutputQueue::clear() {
  // Frees the bytes. Room for a few pieces stays, which costs an idle connection little.
  pieces_.clear();
  if (pieces_.capacity() > kKeptPieces) std::vector<std::string>().swap(pieces_);
  first_ = offset_ = size_ = 0;
}

std::string_view OutputQueue::front() const {
  if (size_ == 0) return {};
  return std::string_view(pieces_[first_]).substr(offset_);
}

std::size_t OutputQueue::gather(std::span<iovec> into) const {
  const std::size_t count = std::min(into.size(), pieces_.size() - first_);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& piece = pieces_[first_ + i];
    const std::size_t skipped = i == 0 ? offset_ : 0;
    // iovec has no const; writev() only reads.
    into[i] = {const_cast<char*>(piece.data()) + skipped, piece.size() - skipped};
  }
  return count;
}

void Transport::open(FileDescriptor descriptor) {
  descriptor_ = std::move(descriptor);
  const mode_t kind = kind_of(descriptor_.get());
  is_socket_ = S_ISSOCK(kind);
  is_socket_or_pipe_ = is_socket_ || S_ISFIFO(kind);
}

void Transport::close() {
  if (tls_) tls_->close_notify();
  tls_.reset();
  descriptor_.reset();
}

int Transport::pending_error() const {
  int error_number = 0;
  socklen_t size = sizeof error_number;
  if (::getsockopt(descriptor_.get(), SOL_SOCKET, SO_ERROR, &error_number, &size) != 0) {
    return errno;
  }
  return error_number;
}

IoResult Transport::read(std::span<char> into) {
  if (tls_) return tls_->read(into);
  if (is_socket_)
    return io_result(::recv(descriptor_.get(), into.data(), into.size(), MSG_DONTWAIT));
  return io_result(::read(descriptor_.get(), into.data(), into.size()));
}

IoResult Transport::write(const OutputQueue& queue) {
  if (tls_) return tls_->write(queue.front());
  std::array<iovec, kPiecesPerWrite> pieces;  // NOLINT: filled as far as it is used
  const std::size_t count = queue.gather(pieces);
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

void Transport::end_output() {
  if (tls_) tls_->close_notify();
  if (is_socket_) ::shutdown(descriptor_.get(), SHUT_WR);
}

}  // namespace detail

Status Stream::open(FileDescriptor descriptor, Direction direction) {
  return start(std::move(descriptor), direction, State::open);
}

Status Stream::open_connecting(FileDescriptor socket) {
  return start(std::move(socket), Direction::both, State::connecting);
}

// Sets all members again, because the stream may have been open before: a client tries one address
// after the other.
Status Stream::start(FileDescriptor descriptor, Direction direction, State state) {
  sent_ = 0;
  paused_ = readable_ = hung_up_ = false;
  input_ended_ = output_ended_ = output_broken_ = finishing_ = resumed_with_input_ = false;
  transport_.open(std::move(descriptor));
  direction_ = direction;
  state_ = state;
  writable_ = state == State::open;
  Status added =
      watch_.add(loop_, transport_.descriptor(), [this](Readiness ready) { on_ready(ready); });
  if (!added) {
    close();
    return added;
  }
  if (watch_.is_always_ready()) {
    readable_ = true;
    // wake() calls on_ready() at the end of the loop iteration, with nothing set in `ready`.
    watch_.wake();
  }
  return {};
}

void Stream::use_tls(std::unique_ptr<TlsSession> session) {
  transport_.use_tls(std::move(session));
  if (state_ == State::open) state_ = State::handshaking;
  watch_.wake();
}

void Stream::on_ready(Readiness ready) {
  // TLS may have to read in order to write, and the other way round.
  if (transport_.has_tls() && (ready.input || ready.output)) ready.input = ready.output = true;
  readable_ |= ready.input;
  writable_ |= ready.output;
  hung_up_ |= ready.hang_up;
  inside_on_ready_ = true;
  if (state_ == State::open || establish()) {
    if (std::exchange(resumed_with_input_, false) && !paused_) deliver_kept_input();
    read_some();
    if (ready.hang_up && is_open()) notice_hang_up(ready.broken);
  }
  inside_on_ready_ = false;
  if (!is_open()) return;
  // Output is sent at the end of the loop iteration: waking a peer on another processor costs more
  // than writing to it, so the peer is woken once for many messages.
  const bool was_woken = !ready.input && !ready.output && !ready.hang_up;
  if (!was_woken && state_ == State::open && writable_ && !output_.empty()) {
    watch_.wake();
  } else {
    send_queued();
  }
}

// Continues to connect, then to do the TLS handshake. Whether the stream is open now.
bool Stream::establish() {
  if (state_ == State::connecting) {
    if (!writable_) return false;
    if (const int error_number = transport_.pending_error(); error_number != 0) {
      fail_with("connect", {.outcome = IoResult::Outcome::broken, .error_number = error_number});
      return false;
    }
    state_ = transport_.has_tls() ? State::handshaking : State::open;
  }
  if (state_ == State::handshaking) {
    const IoResult result = transport_.handshake();
    if (result.outcome == IoResult::Outcome::would_block) return false;
    if (result.outcome != IoResult::Outcome::done) {
      fail_with("agree on TLS with the peer", result);
      return false;
    }
    state_ = State::open;
    readable_ = writable_ = true;
  }
  if (state_ != State::open) return false;
  owner_.on_open();
  return is_open();
}

// The peer sends no more. An output stream whose reader is gone (`broken`) fails. If input is
// paused, the owner is told; otherwise read_some() finds the end or the error.
void Stream::notice_hang_up(bool broken) {
  if (direction_ == Direction::output) {
    if (broken) fail_with("write", {.outcome = IoResult::Outcome::broken, .error_number = EPIPE});
    return;
  }
  if (!paused_ || input_ended_) return;
  if (broken && transport_.is_socket()) {
    if (const int error_number = transport_.pending_error(); error_number != 0) {
      fail_with("read", {.outcome = IoResult::Outcome::broken, .error_number = error_number});
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
    const IoResult result = transport_.read(loop_.scratch());
    switch (result.outcome) {
      case IoResult::Outcome::done:
        // After a short read the descriptor is empty; an event will report the next bytes.
        if (transport_.short_read_means_empty() && !hung_up_ &&
            result.bytes < loop_.scratch().size())
          readable_ = false;
        deliver({loop_.scratch().data(), result.bytes});
        break;
      case IoResult::Outcome::would_block:
        readable_ = false;
        // There is no answer left to read, so the earlier write error is reported.
        if (output_broken_)
          fail_with("write", {.outcome = IoResult::Outcome::broken, .error_number = EPIPE});
        break;
      case IoResult::Outcome::ended:
        input_ended_ = true;
        owner_.on_end();
        break;
      case IoResult::Outcome::broken: fail_with("read", result); break;
    }
  }
}

void Stream::deliver(std::string_view bytes) {
  if (!input_.empty()) {
    input_.append(bytes);
    deliver_kept_input();
    return;
  }
  const std::size_t used = owner_.on_bytes(bytes);
  if (is_open() && used < bytes.size()) input_.assign(bytes.substr(used));
}

void Stream::deliver_kept_input() {
  if (input_.empty()) return;
  delivering_ = true;  // close() must not free the bytes that the owner is reading
  const std::size_t used = owner_.on_bytes(input_);
  delivering_ = false;
  if (!is_open() || used == input_.size())
    std::string().swap(input_);
  else
    input_.erase(0, used);
}

void Stream::write(std::string bytes) {
  if (!is_open() || finishing_ || output_broken_) return;
  output_.push(std::move(bytes));
  if (!inside_on_ready_) watch_.wake();
}

void Stream::send_queued() {
  if (state_ != State::open || output_broken_) return;
  const bool tried = !output_.empty();
  while (!output_.empty() && writable_) {
    const IoResult result = transport_.write(output_);
    if (result.outcome == IoResult::Outcome::done) {
      output_.pop(result.bytes);
      sent_ += result.bytes;
    } else if (result.outcome == IoResult::Outcome::would_block) {
      writable_ = false;
    } else {
      on_output_error(result);
      return;
    }
  }
  if (tried && reports_sent_) owner_.on_sent();
  if (is_open()) end_output_if_drained();
}

// The peer may have answered (often a refusal) before it stopped reading, so input is still read.
void Stream::on_output_error(const IoResult& result) {
  output_broken_ = true;
  output_.clear();
  if (direction_ == Direction::output || input_ended_ || paused_) {
    fail_with("write", result);
    return;
  }
  readable_ = true;
  watch_.wake();
}

void Stream::finish_output() {
  finishing_ = true;
  if (!inside_on_ready_) watch_.wake();
}

void Stream::end_output_if_drained() {
  if (!finishing_ || output_ended_ || !output_.empty()) return;
  output_ended_ = true;
  if (direction_ == Direction::output)
    close();
  else
    transport_.end_output();
}

void Stream::fail_with(std::string_view what, const IoResult& result) {
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
  transport_.close();
  output_.clear();
  if (!delivering_) std::string().swap(input_);
}

}  // namespace enfold::net

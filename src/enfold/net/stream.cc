// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/stream.h"

#include <cerrno>
#include <fmt/format.h>
#include <utility>

namespace enfold::net {
namespace {

// After this many reads of the loop's scratch buffer other descriptors get their turn.
constexpr int kReadsPerEvent = 8;

}  // namespace

Status Stream::open(FileDescriptor descriptor, Direction direction) {
  return start(std::move(descriptor), direction, State::open);
}

Status Stream::open_connecting(FileDescriptor socket) {
  return start(std::move(socket), Direction::both, State::connecting);
}

// The stream may have been open before: a client tries one address after the other.
Status Stream::start(FileDescriptor descriptor, Direction direction, State state) {
  sent_ = 0;
  paused_ = readable_ = hung_up_ = false;
  input_ended_ = output_ended_ = output_broken_ = finishing_ = offer_kept_ = false;
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
    if (const int error_number = transport_.pending_error(); error_number != 0) {
      break_off("connect", {IoResult::Outcome::broken, 0, error_number, {}});
      return false;
    }
    state_ = transport_.has_tls() ? State::handshaking : State::open;
  }
  if (state_ == State::handshaking) {
    const IoResult result = transport_.handshake();
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
  if (broken && transport_.is_socket()) {
    if (const int error_number = transport_.pending_error(); error_number != 0) {
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
    const IoResult result = transport_.read(loop_.scratch());
    switch (result.outcome) {
      case IoResult::Outcome::done:
        // A short read has emptied the descriptor: what comes later is told by a new event.
        if (transport_.gives_all() && !hung_up_ && result.bytes < loop_.scratch().size())
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
    const IoResult result = transport_.write(output_);
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
  if (direction_ == Direction::output)
    close();
  else
    transport_.end_output();
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
  transport_.close();
  output_.clear();
  if (!delivering_) std::string().swap(input_);
}

}  // namespace enfold::net

// SPDX-License-Identifier: Apache-2.0
// Bytes both ways over one descriptor: a socket (with TLS or without), a pipe, a terminal or a
// file.
//
// Input is passed to the owner, which returns how many bytes it used; the rest is kept and passed
// again with more. While paused nothing is read: a fast peer has to wait.
// Output is queued and leaves in one system call, at the end of the event or of the turn.
// An idle stream holds no buffers.
#pragma once

#include "enfold/net/detail/output_queue.h"
#include "enfold/net/detail/transport.h"
#include "enfold/net/loop.h"
#include "enfold/net/tls.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace enfold::net {

/// Receives the events of a stream. No call comes after Stream::close(). A stream must not be
/// destroyed inside one of these calls: close it, and let Loop::defer() destroy it.
class StreamOwner {
 public:
  virtual ~StreamOwner() = default;
  virtual void on_open() {}  ///< connected, and the TLS handshake is done
  [[nodiscard]] virtual std::size_t on_bytes(std::string_view bytes) = 0;
  virtual void on_end() = 0;                        ///< the peer sends no more
  virtual void on_failure(const Error& error) = 0;  ///< the stream is closed already
  virtual void on_sent() {}     ///< sending was tried; queued() says what remains
  virtual void on_hang_up() {}  ///< the peer sends no more, seen while paused
};

class Stream {
 public:
  enum class Direction { both, input, output };

  Stream(Loop& loop, StreamOwner& owner) : loop_(loop), owner_(owner) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Takes a descriptor that does not block, or a socket of any kind.
  [[nodiscard]] Status open(FileDescriptor descriptor, Direction direction = Direction::both);
  /// A socket whose connect() is under way. on_open() or on_failure() tells the end of it.
  [[nodiscard]] Status open_connecting(FileDescriptor socket);
  /// Before the first byte; `session` works on descriptor().
  void use_tls(std::unique_ptr<TlsSession> session);

  [[nodiscard]] bool is_open() const { return transport_.is_open(); }
  [[nodiscard]] int descriptor() const { return transport_.descriptor(); }

  void pause() { paused_ = true; }
  void resume();  ///< kept bytes come again, at the end of the turn
  [[nodiscard]] std::string_view kept() const { return input_; }

  void write(std::string bytes);
  /// Sends what is queued now instead of at the end of the turn.
  void flush();
  [[nodiscard]] std::size_t queued() const { return output_.size(); }
  [[nodiscard]] std::uint64_t sent() const { return sent_; }  ///< bytes, since the beginning
  /// No more output: the peer sees the end after what is queued.
  void finish_output();
  void close();

 private:
  enum class State { closed, connecting, handshaking, open };

  [[nodiscard]] Status start(FileDescriptor descriptor, Direction direction, State state);
  void on_ready(Readiness ready);
  bool establish();
  void read_some();
  void deliver(std::string_view bytes);
  void deliver_kept();
  void notice_hang_up(bool broken);
  void send_queued();
  void end_output_if_drained();
  void output_broke(const IoResult& result);
  void break_off(std::string_view what, const IoResult& result);

  Loop& loop_;
  StreamOwner& owner_;
  detail::Transport transport_;
  Watch watch_;
  std::string input_;
  detail::OutputQueue output_;
  std::uint64_t sent_ = 0;
  State state_ = State::closed;
  Direction direction_ = Direction::both;
  bool paused_ = false;
  bool readable_ = false;
  bool writable_ = false;
  bool hung_up_ = false;
  bool input_ended_ = false;
  bool output_ended_ = false;
  bool output_broken_ = false;
  bool finishing_ = false;
  bool busy_ = false;        ///< inside on_ready(), which sends at its end
  bool delivering_ = false;  ///< inside on_bytes(), which may look at input_
  bool offer_kept_ = false;
};

}  // namespace enfold::net

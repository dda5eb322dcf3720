// SPDX-License-Identifier: Apache-2.0
// Bytes over one descriptor: a socket (with TLS or without), a pipe, a terminal or a file.
//
// Input is passed to the owner, which returns how many bytes it used; the stream keeps the
// remaining bytes and passes them again together with the next. While paused nothing is read, so a
// fast peer has to wait. Output is queued and sent at the end of the loop iteration, so that many
// small writes take one system call. An idle stream holds no bytes.
#pragma once

#include "enfold/net/file_descriptor.h"
#include "enfold/net/loop.h"
#include "enfold/net/tls.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/uio.h>
#include <utility>
#include <vector>

namespace enfold::net {

namespace detail {

/// Bytes that wait to be sent. Small pieces are joined; large ones are moved in and not copied.
class OutputQueue {
 public:
  void push(std::string bytes);
  void pop(std::size_t bytes);  ///< removes bytes that were sent; at most size()
  void clear();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string_view front() const;  ///< unsent bytes of the first piece
  /// Fills `into` with the first pieces; returns how many.
  [[nodiscard]] std::size_t gather(std::span<iovec> into) const;

 private:
  std::vector<std::string> pieces_;
  std::size_t first_ = 0;   ///< index of the first piece that is not sent completely
  std::size_t offset_ = 0;  ///< bytes of that piece that are sent
  std::size_t size_ = 0;    ///< unsent bytes of all pieces
};

/// Reads and writes one descriptor without blocking, through TLS if there is a session. A socket, a
/// pipe, a terminal and a file need different system calls.
class Transport {
 public:
  void open(FileDescriptor descriptor);
  void close();  ///< TLS sends close_notify first
  void use_tls(std::unique_ptr<TlsSession> session) { tls_ = std::move(session); }

  [[nodiscard]] bool is_open() const { return static_cast<bool>(descriptor_); }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  [[nodiscard]] bool is_socket() const { return is_socket_; }
  [[nodiscard]] bool has_tls() const { return tls_ != nullptr; }
  /// Whether a read that returns less than asked for has emptied the descriptor. False for a
  /// terminal, which returns one line, and for TLS, which returns one record.
  [[nodiscard]] bool short_read_means_empty() const { return is_socket_or_pipe_ && !tls_; }
  /// The pending error of a socket, as errno; 0: none.
  [[nodiscard]] int pending_error() const;

  [[nodiscard]] IoResult handshake() { return tls_->handshake(); }
  [[nodiscard]] IoResult read(std::span<char> into);
  /// Writes from the front of the queue, as much as one call takes. The caller pops these bytes.
  [[nodiscard]] IoResult write(const OutputQueue& queue);
  /// The peer of a socket sees the end of the stream and can still send. Does nothing for others.
  void end_output();

 private:
  FileDescriptor descriptor_;
  std::unique_ptr<TlsSession> tls_;  ///< null: without TLS
  bool is_socket_ = false;
  bool is_socket_or_pipe_ = false;
};

}  // namespace detail

/// Receives the events of a stream, on the loop's thread, never after Stream::close(). A stream
/// must not be destroyed inside one of these calls: close it, and let Loop::defer() destroy it.
class StreamOwner {
 public:
  virtual ~StreamOwner() = default;
  virtual void on_open() {}  ///< connected, and the TLS handshake is done
  /// Returns how many of the bytes it used.
  [[nodiscard]] virtual std::size_t on_bytes(std::string_view bytes) = 0;
  virtual void on_end() = 0;  ///< the peer sends no more; output is still possible
  virtual void on_failure(const Error& error) = 0;  ///< the stream is closed already
  virtual void on_sent() {}     ///< after each attempt to send, unless Stream::report_sent(false)
  virtual void on_hang_up() {}  ///< the peer sends no more, seen while paused; on_end() comes later
};

class Stream {
 public:
  enum class Direction { both, input, output };

  Stream(Loop& loop, StreamOwner& owner) : loop_(loop), owner_(owner) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Takes a descriptor that does not block, or a socket of any kind.
  [[nodiscard]] Status open(FileDescriptor descriptor, Direction direction = Direction::both);
  /// A socket whose connect() is under way. on_open() or on_failure() reports the result.
  [[nodiscard]] Status open_connecting(FileDescriptor socket);
  /// Call before anything is read or written; `session` must have been made for descriptor().
  void use_tls(std::unique_ptr<TlsSession> session);

  [[nodiscard]] bool is_open() const { return transport_.is_open(); }
  [[nodiscard]] int descriptor() const { return transport_.descriptor(); }

  void pause() { paused_ = true; }  ///< no on_bytes() and on_end() until resume()
  /// Kept bytes are passed again at the end of the loop iteration.
  void resume() {
    if (!std::exchange(paused_, false)) return;
    resumed_with_input_ = !input_.empty();
    watch_.wake();
  }

  void write(std::string bytes);  ///< ignored when closed, finishing, or after a failed write
  [[nodiscard]] std::size_t queued() const { return output_.size(); }
  /// Whether on_sent() is called; true by default.
  void report_sent(bool wanted) { reports_sent_ = wanted; }
  [[nodiscard]] std::uint64_t sent() const { return sent_; }  ///< bytes, since open()
  /// No more output: the peer sees the end after what is queued. Closes an output stream then.
  void finish_output();
  void close();  ///< drops queued output

 private:
  enum class State { closed, connecting, handshaking, open };

  [[nodiscard]] Status start(FileDescriptor descriptor, Direction direction, State state);
  void on_ready(Readiness ready);
  bool establish();  ///< whether the stream is open now
  void read_some();
  void deliver(std::string_view bytes);
  void deliver_kept_input();
  void notice_hang_up(bool broken);
  void send_queued();
  void end_output_if_drained();
  void on_output_error(const IoResult& result);
  /// Closes, and reports that it was not possible to do `what`.
  void fail_with(std::string_view what, const IoResult& result);

  Loop& loop_;
  StreamOwner& owner_;
  detail::Transport transport_;
  Watch watch_;
  std::string input_;  ///< bytes that the owner has not used
  detail::OutputQueue output_;
  std::uint64_t sent_ = 0;  ///< bytes, since open()
  State state_ = State::closed;
  Direction direction_ = Direction::both;
  bool paused_ = false;
  bool readable_ = false;            ///< no read has blocked since the last event
  bool writable_ = false;            ///< no write has blocked since the last event
  bool hung_up_ = false;             ///< no more event will come: read until the end
  bool input_ended_ = false;         ///< on_end() was called
  bool output_ended_ = false;        ///< everything was sent after finish_output()
  bool output_broken_ = false;       ///< a write failed; input is still read
  bool finishing_ = false;           ///< finish_output() was called
  bool reports_sent_ = true;         ///< on_sent() is called
  bool inside_on_ready_ = false;     ///< on_ready() runs, and sends the queued output at its end
  bool delivering_ = false;          ///< the owner's on_bytes() runs and may read input_
  bool resumed_with_input_ = false;  ///< input_ is passed again in the next on_ready()
};

}  // namespace enfold::net

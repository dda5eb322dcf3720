// SPDX-License-Identifier: Apache-2.0
// Reads and writes one descriptor without blocking, through TLS where there is a session. A socket,
// a pipe, a terminal and a file need different system calls.
#pragma once

#include "enfold/net/detail/output_queue.h"
#include "enfold/net/file_descriptor.h"
#include "enfold/net/tls.h"

#include <memory>
#include <span>

namespace enfold::net::detail {

class Transport {
 public:
  void open(FileDescriptor descriptor);
  /// Without a word to the peer, except that TLS says good-bye.
  void close();
  void use_tls(std::unique_ptr<TlsSession> session) { tls_ = std::move(session); }

  [[nodiscard]] bool is_open() const { return static_cast<bool>(descriptor_); }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  [[nodiscard]] bool is_socket() const { return is_socket_; }
  [[nodiscard]] bool has_tls() const { return tls_ != nullptr; }
  /// One read returns all bytes that are there; a terminal returns a line, TLS a record.
  [[nodiscard]] bool gives_all() const { return gives_all_ && !tls_; }
  /// Of a socket, as errno; 0: none.
  [[nodiscard]] int pending_error() const;

  [[nodiscard]] IoResult handshake() { return tls_->handshake(); }
  [[nodiscard]] IoResult read(std::span<char> into);
  /// As much as one system call takes; the queue is not changed.
  [[nodiscard]] IoResult write(const OutputQueue& queue);
  /// The peer of a socket sees the end of the stream and can still send.
  void end_output();

 private:
  FileDescriptor descriptor_;
  std::unique_ptr<TlsSession> tls_;
  bool is_socket_ = false;
  bool gives_all_ = false;
};

}  // namespace enfold::net::detail

// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/detail/transport.h"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace enfold::net::detail {
namespace {

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

}  // namespace

void Transport::open(FileDescriptor descriptor) {
  descriptor_ = std::move(descriptor);
  const mode_t kind = kind_of(descriptor_.get());
  is_socket_ = S_ISSOCK(kind);
  gives_all_ = is_socket_ || S_ISFIFO(kind);
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

}  // namespace enfold::net::detail

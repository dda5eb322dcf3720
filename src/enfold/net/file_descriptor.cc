// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/file_descriptor.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace enfold::net {
namespace {

ErrorCode code_of(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR: return ErrorCode::not_found;
    case EACCES:
    case EPERM: return ErrorCode::unauthorized;
    case EADDRINUSE: return ErrorCode::conflict;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case E2BIG:
    case ENOMEM: return ErrorCode::limit_exceeded;
    case ETIMEDOUT: return ErrorCode::timed_out;
    case EINVAL:
    case EADDRNOTAVAIL: return ErrorCode::invalid_input;
    case EPIPE:
    case ECONNRESET:
    case ECONNREFUSED:
    case ECONNABORTED:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ENOTCONN: return ErrorCode::unavailable;
    default: return ErrorCode::internal;
  }
}

std::string hint_for(int error_number) {
  switch (error_number) {
    case EADDRINUSE: return "stop the program that listens there, or choose another port";
    case EMFILE: return "raise the limit of open files (ulimit -n)";
    case ENFILE: return "raise the limit of open files of the whole system (fs.file-max)";
    case ECONNREFUSED: return "check that the server runs and listens there";
    default: return {};
  }
}

}  // namespace

void FileDescriptor::reset(int number) {
  if (number_ >= 0) ::close(number_);
  number_ = number;
}

Error system_error(std::string_view what, int error_number, std::string where) {
  return Error{code_of(error_number),
               fmt::format("cannot {}: {}", what, std::generic_category().message(error_number)),
               std::move(where), hint_for(error_number)};
}

bool write_to_standard_error(std::string_view text) {
  while (!text.empty()) {
    // A pipe that can be written to has room for PIPE_BUF bytes.
    pollfd output{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&output, 1, 0) == 0) return false;
    const std::string_view piece = text.substr(0, PIPE_BUF);
    const ssize_t written = ::write(STDERR_FILENO, piece.data(), piece.size());
    if (written < 0 && errno != EINTR) return true;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace enfold::net

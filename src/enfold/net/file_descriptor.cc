// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/file_descriptor.h"

#include <cerrno>
#include <fmt/format.h>
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

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace enfold::net

// SPDX-License-Identifier: Apache-2.0
// An owned file descriptor, closed on destruction, and the Error of a failed system call.
#pragma once

#include "enfold/base/result.h"

#include <string>
#include <string_view>
#include <utility>

namespace enfold::net {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }  ///< the caller closes it
  void reset(int number = -1);  ///< closes the owned descriptor, then owns `number`; -1: none

 private:
  int number_ = -1;
};

/// The error of a failed system call, with the message "cannot WHAT: REASON". Code and reason
/// follow from `error_number`, which is an errno. `where`: the file or address; empty: none.
[[nodiscard]] Error system_error(std::string_view what, int error_number, std::string where = {});

/// Writes to standard error without waiting for the program that reads it. False: there is no room
/// for the text, or only for its beginning. What a closed standard error gets is lost.
[[nodiscard]] bool write_to_standard_error(std::string_view text);

/// Raises the soft limit of open files to the hard limit, if possible: each connection needs one.
void raise_descriptor_limit();

}  // namespace enfold::net

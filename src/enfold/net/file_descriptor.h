// SPDX-License-Identifier: Apache-2.0
// A descriptor that is closed by whoever holds it last, and how a failed system call is reported.
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
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  void reset(int number = -1);

 private:
  int number_ = -1;
};

/// "cannot WHAT: reason of errno". The code says whether trying again may help.
[[nodiscard]] Error system_error(std::string_view what, int error_number, std::string where = {});

/// As many descriptors as the system lets this process have; a server needs one a connection.
void raise_descriptor_limit();

}  // namespace enfold::net

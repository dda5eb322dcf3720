// SPDX-License-Identifier: Apache-2.0
// A program that is measured: a process of its own, on one processor, whose CPU time and memory can
// be asked for.
#pragma once

#include <cstddef>
#include <string>
#include <sys/types.h>
#include <vector>

namespace enfold::bench {

/// What is measured runs on the first processor that this process may use, the load on the second.
/// With one processor they share it, and a note in the report says so.
[[nodiscard]] bool stay_on_load_processor();

class Child {
 public:
  /// With these as its standard input and output; -1: nowhere. What it says on standard error is
  /// not wanted.
  Child(const std::vector<std::string>& command, int input, int output);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Seconds of all its threads, in user and kernel mode; not those of its own children.
  [[nodiscard]] double cpu_time() const;
  /// Bytes that belong to it alone: no code, no constant tables.
  [[nodiscard]] std::size_t anonymous_memory() const;

 private:
  pid_t process_ = -1;
};

}  // namespace enfold::bench

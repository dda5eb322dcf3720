// SPDX-License-Identifier: Apache-2.0
// Single keys from whoever sits at the terminal, while a verb goes on. The terminal is as before
// when it goes.
#pragma once

#include <chrono>
#include <termios.h>

namespace enfold::cli {

class Keyboard {
 public:
  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();

  /// True: q, Ctrl-C, Ctrl-D, SIGINT or SIGTERM within this time.
  [[nodiscard]] bool wait_for_quit(std::chrono::milliseconds time);

 private:
  bool is_terminal_ = false;
  termios before_{};
};

}  // namespace enfold::cli

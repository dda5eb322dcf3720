// SPDX-License-Identifier: Apache-2.0
// Reads single keys from the terminal while a verb runs. Restores the terminal mode when destroyed.
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

// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/keyboard.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

constexpr char kEndOfText = 3;
constexpr char kEndOfInput = 4;

std::atomic<bool> asked_to_end{false};

void note_signal(int /*signal*/) { asked_to_end = true; }

}  // namespace

Keyboard::Keyboard() {
  struct sigaction action{};
  action.sa_handler = note_signal;  // without SA_RESTART, so that a signal ends a wait
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  is_terminal_ = isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &before_) == 0;
  if (!is_terminal_) return;
  termios single = before_;
  single.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &single);
}

Keyboard::~Keyboard() {
  if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

bool Keyboard::wait_for_quit(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!asked_to_end) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd input{is_terminal_ ? STDIN_FILENO : -1, POLLIN, 0};
    const int ready = ::poll(&input, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    char key = 0;
    const ssize_t got = ::read(STDIN_FILENO, &key, 1);
    if (got == 0) return true;
    if (got > 0 && (key == 'q' || key == 'Q' || key == kEndOfText || key == kEndOfInput)) {
      return true;
    }
  }
  return true;
}

}  // namespace enfold::cli

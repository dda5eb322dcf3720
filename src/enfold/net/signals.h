// SPDX-License-Identifier: Apache-2.0
// Signals as ordinary callbacks on the loop: SIGTERM to drain, SIGHUP to reload. One object at a
// time in a process; the former dispositions come back when it goes.
#pragma once

#include "enfold/net/loop.h"

#include <csignal>
#include <initializer_list>
#include <memory>
#include <vector>

namespace enfold::net {

class Signals {
 public:
  using Handler = Callback<void(int signal)>;

  [[nodiscard]] static Result<std::unique_ptr<Signals>> catch_all(
      Loop& loop, std::initializer_list<int> signals, Handler handler);
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

 private:
  struct Former {
    int signal;
    struct sigaction action;
  };

  explicit Signals(Handler handler) : handler_(std::move(handler)) {}
  void deliver();

  FileDescriptor wakeup_;
  Watch watch_;
  Handler handler_;
  std::vector<Former> former_;
};

}  // namespace enfold::net

// SPDX-License-Identifier: Apache-2.0
// A child process with pipes, in a process group of its own. It ends when it is told to, step by
// step (end of input, SIGTERM, SIGKILL), and it never stays behind as a zombie; nor does what it
// started.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/loop.h"

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace enfold::net {

struct ProcessOptions {
  enum class ErrorOutput { pipe, inherit, discard };

  std::vector<std::string> arguments;  ///< the first one is the program, looked up in PATH
  /// On top of our own environment, or instead of it.
  std::vector<std::pair<std::string, std::string>> environment;
  bool inherit_environment = true;
  std::string folder;  ///< to start in; empty: ours
  ErrorOutput error_output = ErrorOutput::pipe;
  Duration stdin_timeout = std::chrono::seconds(2);    ///< from the end of input to SIGTERM
  Duration sigterm_timeout = std::chrono::seconds(2);  ///< from SIGTERM to SIGKILL
};

struct ProcessExit {
  int code = 0;    ///< when it ended by itself
  int signal = 0;  ///< when a signal ended it

  [[nodiscard]] std::string text() const;  ///< "exit code 3", "signal 9 (Killed)"
  friend bool operator==(const ProcessExit&, const ProcessExit&) = default;
};

/// Whether there is a program to start, without starting it: fails as `spawn` would.
[[nodiscard]] Status check_program(const ProcessOptions& options);

class Process {
 public:
  using ExitHandler = Callback<void(ProcessExit exit)>;

  /// Fails when the program cannot be started. `on_exit` comes once, and the process may be
  /// destroyed in it; output may still wait in the pipes.
  [[nodiscard]] static Result<std::unique_ptr<Process>> spawn(Loop& loop,
                                                              const ProcessOptions& options,
                                                              ExitHandler on_exit);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills what is left of the process group, and waits for the process to be gone.
  ~Process();

  [[nodiscard]] pid_t id() const { return id_; }
  [[nodiscard]] bool is_running() const { return !exited_; }

  /// Our ends of its pipes; they do not block.
  [[nodiscard]] FileDescriptor take_input() { return std::move(input_); }
  [[nodiscard]] FileDescriptor take_output() { return std::move(output_); }
  [[nodiscard]] FileDescriptor take_error_output() { return std::move(error_output_); }

  /// Begins the end. Whoever took the input has closed it, or closes it now. Once more: SIGTERM at
  /// once, if it is still to come.
  void stop();
  void send_signal(int signal) const;  ///< to the whole group

 private:
  Process(Loop& loop, const ProcessOptions& options, ExitHandler on_exit);
  [[nodiscard]] Status start(const ProcessOptions& options);
  void on_due();
  void on_exit_seen();
  void reap();

  enum class Stage { running, input_ended, terminated, killed };

  Loop& loop_;
  ExitHandler on_exit_;
  Duration input_grace_;
  Duration terminate_grace_;
  pid_t id_ = -1;
  FileDescriptor handle_;
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor error_output_;
  Watch watch_;
  Timer timer_;
  Stage stage_ = Stage::running;
  bool exited_ = false;
  bool reaped_ = false;
};

}  // namespace enfold::net

// SPDX-License-Identifier: Apache-2.0
// A child process with pipes, in its own process group. It is stopped step by step (end of input,
// SIGTERM, SIGKILL), with all processes of its group, and never stays behind as a zombie.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/loop.h"
#include "enfold/net/process_limits.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace enfold::net {

struct ProcessOptions {
  enum class ErrorOutput { pipe, inherit, discard };  ///< pipe: see take_error_output()

  std::vector<std::string> arguments;  ///< the first one is the program, looked up in PATH
  /// Names of variables of this process that the child inherits; NAME* matches all names that begin
  /// with NAME. nullopt: the child inherits all.
  std::optional<std::vector<std::string>> inherited_variables;
  /// Added to the inherited variables; a variable of the same name is replaced.
  std::vector<std::pair<std::string, std::string>> environment;
  std::string folder;  ///< working directory; empty: that of this process
  ProcessLimits limits;
  ErrorOutput error_output = ErrorOutput::pipe;
  Duration stdin_timeout = std::chrono::seconds(2);    ///< from the end of input to SIGTERM
  Duration sigterm_timeout = std::chrono::seconds(2);  ///< from SIGTERM to SIGKILL
};

struct ProcessExit {
  int code = 0;    ///< exit code, if `signal` is 0
  int signal = 0;  ///< the signal that ended the process; 0: it exited by itself

  [[nodiscard]] std::string text() const;  ///< "exit code 3", "signal 9 (Killed)"
  friend bool operator==(const ProcessExit&, const ProcessExit&) = default;
};

/// Fails as `spawn` would if folder or program is missing, or the program may not be executed.
[[nodiscard]] Status check_program(const ProcessOptions& options);

class Process {
 public:
  using ExitHandler = Callback<void(ProcessExit exit)>;

  /// Fails if the program cannot be started. `on_exit` is called once, on the loop, and may destroy
  /// the Process; unread output may still be in the pipes. Not called after the destructor.
  [[nodiscard]] static Result<std::unique_ptr<Process>> spawn(Loop& loop,
                                                              const ProcessOptions& options,
                                                              ExitHandler on_exit);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills the process group, and blocks until the process has ended.
  ~Process();

  [[nodiscard]] pid_t id() const { return id_; }
  [[nodiscard]] bool is_running() const { return !exited_; }  ///< until just before `on_exit`

  // This process's non-blocking ends of the pipes; the first call takes one, later calls get none.
  [[nodiscard]] FileDescriptor take_input() { return std::move(input_); }
  [[nodiscard]] FileDescriptor take_output() { return std::move(output_); }
  [[nodiscard]] FileDescriptor take_error_output() { return std::move(error_output_); }

  /// Closes the input, unless take_input() was called: then the caller closes it. SIGTERM and
  /// SIGKILL follow after the timeouts. A second call sends SIGTERM at once.
  void stop();
  void send_signal(int signal) const;  ///< to the whole group; does nothing once it was reaped

 private:
  Process(Loop& loop, const ProcessOptions& options, ExitHandler on_exit);
  [[nodiscard]] Status start(const ProcessOptions& options);
  void on_timeout();
  void on_exit_seen();  ///< handle_ is readable
  void reap();          ///< waits until the process has ended and frees its id

  enum class Stage { running, input_ended, terminated, killed };  ///< the last step that was made

  Loop& loop_;
  ExitHandler on_exit_;
  Duration stdin_timeout_;
  Duration sigterm_timeout_;
  pid_t id_ = -1;
  FileDescriptor handle_;  ///< a pidfd: becomes readable when the process exits
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor error_output_;
  Watch watch_;
  Timer timer_;  ///< of the current step of stop(); after the exit, of the rest of the group
  Stage stage_ = Stage::running;
  bool exited_ = false;  ///< on_exit_ was or is being called
  bool reaped_ = false;  ///< waited for: the system may reuse the process id
};

}  // namespace enfold::net

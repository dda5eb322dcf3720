// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace enfold::net {
namespace {

struct Pipe {
  FileDescriptor reading;
  FileDescriptor writing;
};

Result<Pipe> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return tl::unexpected(system_error("open a pipe", errno));
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// Each end has its own flags, so the child's end keeps blocking.
void stop_blocking(const FileDescriptor& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

// The system call itself, because glibc 2.36 declares its wrapper for C only.
int open_process_handle(pid_t id) { return static_cast<int>(::syscall(SYS_pidfd_open, id, 0)); }

std::vector<std::string> environment_for(const ProcessOptions& options) {
  std::vector<std::string> lines;
  const auto is_replaced = [&options](std::string_view line) {
    for (const auto& [name, value] : options.environment)
      if (line.size() > name.size() && line[name.size()] == '=' && line.starts_with(name))
        return true;
    return false;
  };
  for (char** line = ::environ; line != nullptr && *line != nullptr; ++line)
    if (!is_replaced(*line)) lines.emplace_back(*line);
  for (const auto& [name, value] : options.environment)
    lines.push_back(fmt::format("{}={}", name, value));
  return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Error cannot_start(const ProcessOptions& options, int error) {
  Error failure = system_error("start the program", error, options.arguments[0]);
  if (error == ENOENT) {
    failure.hint = options.folder.empty()
                       ? "check that it is installed and in PATH"
                       : fmt::format("check that it is in PATH, and the folder {}", options.folder);
  } else if (error == EACCES) {
    failure.hint = "check that it is a program that you may run";
  }
  return failure;
}

// 0: the working directory exists, or none is set; else an errno.
int why_no_folder(const std::string& folder) {
  struct stat status{};
  if (folder.empty()) return 0;
  if (::stat(folder.c_str(), &status) != 0) return errno;
  return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}

// 0: it is a file that this user may execute; else an errno.
int why_not_executable(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

// The errno with which execvp would fail; 0: it would find an executable file. EACCES if any folder
// has a file of that name that may not be executed, else ENOENT.
int why_not_in_path(const std::string& name) {
  const char* const set = std::getenv("PATH");  // NOLINT: no other thread sets it
  std::string_view rest = set != nullptr ? set : "/bin:/usr/bin";
  int why = ENOENT;
  for (bool more = true; more;) {
    const std::size_t colon = rest.find(':');
    more = colon != std::string_view::npos;
    const int error = why_not_executable(std::filesystem::path(rest.substr(0, colon)) / name);
    if (error == 0) return 0;
    if (error == EACCES) why = EACCES;
    if (more) rest.remove_prefix(colon + 1);
  }
  return why;
}

/// The arguments of posix_spawn.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  void connect(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void discard(int descriptor) {
    ::posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", O_WRONLY, 0);
  }
  /// Own process group, no inherited descriptors, no blocked signals, SIGPIPE not ignored.
  void isolate() {
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
    sigset_t none;
    sigset_t defaults;
    ::sigemptyset(&none);
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  void start_in(const std::string& folder) {
    ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  int run(pid_t& id, std::vector<std::string> arguments, std::vector<std::string> environment) {
    const std::vector<char*> argv = pointers_to(arguments);
    const std::vector<char*> envp = pointers_to(environment);
    return ::posix_spawnp(&id, argv[0], &actions_, &attributes_, argv.data(), envp.data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

std::string ProcessExit::text() const {
  if (signal == 0) return fmt::format("exit code {}", code);
  return fmt::format("signal {} ({})", signal, ::strsignal(signal));  // NOLINT: one thread asks
}

Process::Process(Loop& loop, const ProcessOptions& options, ExitHandler on_exit)
    : loop_(loop),
      on_exit_(std::move(on_exit)),
      stdin_timeout_(options.stdin_timeout),
      sigterm_timeout_(options.sigterm_timeout),
      timer_(loop, [this] { on_timeout(); }) {}

Status check_program(const ProcessOptions& options) {
  if (options.arguments.empty() || options.arguments[0].empty())
    return fail(ErrorCode::invalid_input, "no program to start was named");
  const std::string& name = options.arguments[0];
  if (const int error = why_no_folder(options.folder); error != 0)
    return tl::unexpected(cannot_start(options, error));
  const bool is_path = name.find('/') != std::string::npos;
  const int error = is_path ? why_not_executable(std::filesystem::path(options.folder) / name)
                            : why_not_in_path(name);
  return error == 0 ? Status() : tl::unexpected(cannot_start(options, error));
}

Result<std::unique_ptr<Process>> Process::spawn(Loop& loop, const ProcessOptions& options,
                                                ExitHandler on_exit) {
  if (options.arguments.empty() || options.arguments[0].empty())
    return fail(ErrorCode::invalid_input, "no program to start was named");
  std::unique_ptr<Process> process(new Process(loop, options, std::move(on_exit)));
  ENFOLD_TRY(process->start(options));
  return process;
}

Status Process::start(const ProcessOptions& options) {
  ENFOLD_TRY(Pipe input, open_pipe());
  ENFOLD_TRY(Pipe output, open_pipe());
  ENFOLD_TRY(Pipe errors, open_pipe());
  SpawnPlan plan;
  plan.connect(input.reading.get(), STDIN_FILENO);
  plan.connect(output.writing.get(), STDOUT_FILENO);
  if (options.error_output == ProcessOptions::ErrorOutput::pipe)
    plan.connect(errors.writing.get(), STDERR_FILENO);
  else if (options.error_output == ProcessOptions::ErrorOutput::discard)
    plan.discard(STDERR_FILENO);
  if (!options.folder.empty()) plan.start_in(options.folder);
  plan.isolate();
  if (const int error = plan.run(id_, options.arguments, environment_for(options)); error != 0) {
    id_ = -1;
    return tl::unexpected(cannot_start(options, error));
  }
  handle_.reset(open_process_handle(id_));
  if (!handle_) return tl::unexpected(system_error("watch the process", errno));
  input_ = std::move(input.writing);
  output_ = std::move(output.reading);
  stop_blocking(input_);
  stop_blocking(output_);
  if (options.error_output == ProcessOptions::ErrorOutput::pipe) {
    error_output_ = std::move(errors.reading);
    stop_blocking(error_output_);
  }
  return watch_.add(loop_, handle_.get(), [this](Readiness ready) {
    if (ready.input) on_exit_seen();
  });
}

Process::~Process() {
  if (id_ < 0) return;
  send_signal(SIGKILL);
  reap();
}

// The system does not reuse the process id before it is reaped, so no other process is signalled.
void Process::send_signal(int signal) const {
  if (!reaped_) ::kill(-id_, signal);
}

void Process::reap() {
  if (reaped_) return;
  siginfo_t about{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &about, WEXITED) != 0 && errno == EINTR) {
  }
  reaped_ = true;
}

void Process::stop() {
  input_.reset();
  if (exited_) return;
  if (stage_ == Stage::input_ended) on_timeout();
  if (stage_ != Stage::running) return;
  stage_ = Stage::input_ended;
  timer_.set_after(stdin_timeout_);
}

// A step of stop() took too long, or processes of the group have outlived the process.
void Process::on_timeout() {
  if (exited_ || stage_ == Stage::terminated) {
    send_signal(SIGKILL);
    stage_ = Stage::killed;
    if (exited_) reap();
    return;
  }
  send_signal(SIGTERM);
  stage_ = Stage::terminated;
  timer_.set_after(sigterm_timeout_);
}

// Other processes of its group may still run. They get SIGTERM now and SIGKILL after
// sigterm_timeout. The process is reaped only then, because its id is also that of the group.
void Process::on_exit_seen() {
  siginfo_t about{};
  if (exited_ ||
      ::waitid(P_PID, static_cast<id_t>(id_), &about, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      about.si_pid == 0)
    return;
  exited_ = true;
  ProcessExit exit;
  if (about.si_code == CLD_EXITED)
    exit.code = about.si_status;
  else
    exit.signal = about.si_status;
  send_signal(SIGTERM);
  timer_.set_after(sigterm_timeout_);
  if (ExitHandler handler = std::move(on_exit_)) handler(exit);  // may destroy this
}

}  // namespace enfold::net

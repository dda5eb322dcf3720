// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
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

// `line`: NAME=VALUE.
bool is_inherited(std::string_view line, const ProcessOptions& options) {
  if (!options.inherited_variables) return true;
  const std::string_view name = line.substr(0, line.find('='));
  return std::ranges::any_of(*options.inherited_variables, [name](std::string_view pattern) {
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : name == pattern;
  });
}

// The environment of the child, as lines NAME=VALUE.
std::vector<std::string> environment_for(const ProcessOptions& options) {
  std::vector<std::string> lines;
  const auto is_replaced = [&options](std::string_view line) {
    for (const auto& [name, value] : options.environment)
      if (line.size() > name.size() && line[name.size()] == '=' && line.starts_with(name))
        return true;
    return false;
  };
  for (char** line = ::environ; line != nullptr && *line != nullptr; ++line)
    if (is_inherited(*line, options) && !is_replaced(*line)) lines.emplace_back(*line);
  for (const auto& [name, value] : options.environment)
    lines.push_back(fmt::format("{}={}", name, value));
  return lines;
}

// Pointers to the texts, then a null pointer, as exec expects.
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

// What the child needs between vfork and exec. There it shares the memory of this process, which
// waits, so the child only makes system calls.
struct Launch {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* folder;              ///< nullptr: that of this process
  std::array<int, 3> descriptors;  ///< for stdin, stdout and stderr; -1: inherited
  ProcessLimits limits;
  int failure;  ///< a pipe to which the child writes the errno of a failure; exec closes it
};

// Lowers the hard and the soft limit to at most this value.
bool set_limit(int resource, std::uint64_t most) {
  struct rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return false;
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  return ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0;
}

bool apply(const ProcessLimits& limits) {
  return (!limits.no_core_files || set_limit(RLIMIT_CORE, 0)) &&
         (!limits.open_files || set_limit(RLIMIT_NOFILE, *limits.open_files)) &&
         (!limits.memory_bytes || set_limit(RLIMIT_AS, *limits.memory_bytes)) &&
         (!limits.no_new_privileges || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}

// Handlers of this process must not run in the child. Ignored signals stay ignored, except
// SIGPIPE, which this process may have ignored itself.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action{};
    if (::sigaction(signal, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && signal != SIGPIPE)) {
      continue;
    }
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
}

// Makes these the standard descriptors of the child; exec will close all others.
bool connect(const std::array<int, 3>& descriptors) {
  for (int to = 0; to < 3; ++to) {
    const int from = descriptors[static_cast<std::size_t>(to)];
    if (from < 0) continue;
    if (from == to ? ::fcntl(to, F_SETFD, 0) != 0 : ::dup2(from, to) < 0) return false;
  }
  if (::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return true;
  // Before Linux 5.11 each descriptor has to be marked. A limit may be a billion, so not all are.
  constexpr rlim_t kMaxMarked = 65'536;
  struct rlimit open{};
  ::getrlimit(RLIMIT_NOFILE, &open);
  const int end = static_cast<int>(std::min(open.rlim_cur, kMaxMarked));
  for (int descriptor = 3; descriptor < end; ++descriptor) {
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
  return true;
}

[[noreturn]] void become_child(const Launch& launch) {
  sigset_t none;
  ::sigemptyset(&none);
  reset_signals();
  if (::setpgid(0, 0) == 0 && connect(launch.descriptors) &&
      (launch.folder == nullptr || ::chdir(launch.folder) == 0) && apply(launch.limits) &&
      ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0) {
    ::execvpe(launch.program, launch.arguments, launch.environment);
  }
  const int error = errno;
  static_cast<void>(::write(launch.failure, &error, sizeof error) == sizeof error);
  ::_exit(127);
}

// Starts the child in its own process group, without inherited descriptors and blocked signals.
// Uses vfork, because posix_spawn cannot set limits, and fork would copy the page tables of a large
// process. All signals are blocked meanwhile, so that no handler runs in the child.
Result<pid_t> start_child(Launch& launch, const ProcessOptions& options) {
  ENFOLD_TRY(Pipe failure, open_pipe());
  launch.failure = failure.writing.get();
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t id = ::vfork();  // NOLINT: the child only makes system calls
  if (id == 0) become_child(launch);
  int error = id < 0 ? errno : 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  failure.writing.reset();
  if (id > 0 && ::read(failure.reading.get(), &error, sizeof error) == sizeof error) {
    ::waitpid(id, nullptr, 0);
  }
  if (error != 0) return tl::unexpected(cannot_start(options, error));
  return id;
}

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
  FileDescriptor nowhere;
  int error_output = -1;
  if (options.error_output == ProcessOptions::ErrorOutput::pipe) {
    error_output = errors.writing.get();
  } else if (options.error_output == ProcessOptions::ErrorOutput::discard) {
    nowhere.reset(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    error_output = nowhere.get();
  }
  std::vector<std::string> arguments = options.arguments;
  std::vector<std::string> environment = environment_for(options);
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);
  Launch launch{argv[0],
                argv.data(),
                envp.data(),
                options.folder.empty() ? nullptr : options.folder.c_str(),
                {input.reading.get(), output.writing.get(), error_output},
                options.limits,
                -1};
  ENFOLD_TRY(id_, start_child(launch, options));
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

// A step of stop() took too long, or other processes of the group may still run after the exit of
// the process.
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

// The process has exited, but others of its group may still run. They get SIGTERM now and SIGKILL
// after sigterm_timeout. The process is reaped only then, because its id is also that of the group.
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

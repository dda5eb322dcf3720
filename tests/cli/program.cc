// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <pty.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

constexpr std::chrono::seconds kPatience{120};  // a hang, not a slow machine

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_ = -1;
};

// Ours, and the one that the program gets.
struct Channel {
  Descriptor here;
  Descriptor there;
};

Channel pipe_from_program() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Channel pipe_to_program() {
  Channel reversed = pipe_from_program();
  std::swap(reversed.here, reversed.there);
  return reversed;
}

Channel terminal() {
  int master = -1;
  int slave = -1;
  if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) std::abort();
  ::fcntl(master, F_SETFD, FD_CLOEXEC);
  ::fcntl(slave, F_SETFD, FD_CLOEXEC);
  return {Descriptor(master), Descriptor(slave)};
}

Channel channel_for(Sink sink) {
  switch (sink) {
    case Sink::terminal: return terminal();
    case Sink::full_disk:
      return {Descriptor(), Descriptor(::open("/dev/full", O_WRONLY | O_CLOEXEC))};
    case Sink::closed: return {};
    case Sink::captured:
    case Sink::reader_leaves: break;
  }
  Channel pipe = pipe_from_program();
  if (sink == Sink::reader_leaves) pipe.here.close();
  return pipe;
}

[[noreturn]] void become_program(const Command& command, int in, int out, int err) {
  ::dup2(in, STDIN_FILENO);
  out >= 0 ? ::dup2(out, STDOUT_FILENO) : ::close(STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  if (!command.folder.empty() && ::chdir(command.folder.c_str()) != 0) ::_exit(99);
  for (const char* name : {"NO_COLOR", "ENFOLD_ARCHIVE", "XDG_STATE_HOME"}) ::unsetenv(name);
  if (!command.folder.empty()) ::setenv("HOME", command.folder.c_str(), 1);
  for (const std::string& setting : command.environment) {
    ::putenv(const_cast<char*>(setting.c_str()));  // NOLINT: putenv does not write to it
  }
  std::vector<char*> arguments{const_cast<char*>("enfold")};  // NOLINT: nor does execv
  for (const std::string& argument : command.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));  // NOLINT
  }
  arguments.push_back(nullptr);
  if (command.largest_file != 0) {
    const rlimit limit{command.largest_file, command.largest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  // Opened before the rights are given up: the folders above it may be closed to others.
  const int program = ::open(ENFOLD_PROGRAM, O_RDONLY | O_CLOEXEC);
  if (command.as_nobody && ::getuid() == 0 && ::setuid(65534) != 0) ::_exit(97);
  ::fexecve(program, arguments.data(), environ);
  ::_exit(98);
}

// True while there is more to come. A terminal whose last writer left answers EIO.
bool take(const Descriptor& from, std::string& to) {
  std::array<char, 65536> piece{};
  const ssize_t got = ::read(from.get(), piece.data(), piece.size());
  if (got > 0) to.append(piece.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

// Writes what fits; closes at the end of the input, or when the program reads no more.
void give(const Command& command, Descriptor& to, std::size_t& given) {
  const std::string_view rest = std::string_view(command.input).substr(given);
  const ssize_t put = ::write(to.get(), rest.data(), rest.size());
  if (put < 0 && errno != EAGAIN && errno != EINTR) return to.close();
  if (put > 0) given += static_cast<std::size_t>(put);
  if (given < command.input.size()) return;
  given = 0;
  if (!command.input_never_ends) to.close();
}

void converse(const Command& command, pid_t child, Descriptor& in, Descriptor& out, Descriptor& err,
              Ended& ended) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::size_t given = 0;
  ::fcntl(in.get(), F_SETFL, O_NONBLOCK);
  if (command.input.empty()) in.close();
  while (out.get() >= 0 || err.get() >= 0) {
    std::array<pollfd, 3> events{
        {{in.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}}};
    ::poll(events.data(), events.size(), 1000);
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "the program does not end";
      ::kill(child, SIGKILL);
      return;
    }
    if (events[0].revents != 0) give(command, in, given);
    if (events[1].revents != 0 && !take(out, ended.out)) out.close();
    if (events[2].revents != 0 && !take(err, ended.err)) err.close();
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

Ended execute(const Command& command) {
  std::signal(SIGPIPE, SIG_IGN);
  Channel in = command.input_is_terminal ? terminal() : pipe_to_program();
  Channel out = channel_for(command.sink);
  Channel err = command.error_to_terminal ? terminal() : pipe_from_program();
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) become_program(command, in.there.get(), out.there.get(), err.there.get());
  in.there.close();
  out.there.close();
  err.there.close();
  Descriptor keyboard;
  if (command.input_is_terminal) {
    keyboard = std::move(in.here);  // a terminal that is hung up is none any more
    EXPECT_EQ(::write(keyboard.get(), "\4", 1), 1);
  }
  Ended ended;
  converse(command, child, in.here, out.here, err.here, ended);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.peak_kilobytes = usage.ru_maxrss;
  ended.processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  return ended;
}

Running::Pipe Running::open_input(const Command& command) {
  if (command.input.empty()) return {};
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
  EXPECT_EQ(::write(ends[1], command.input.data(), command.input.size()),
            static_cast<ssize_t>(command.input.size()));
  return {ends[0], ends[1]};
}

Running::Running(const Command& command) : Running(command, open_input(command)) {}

Running::Running(const Command& command, Pipe input)
    : Killable([&](int out, int nothing) {
        become_program(command, input.there >= 0 ? input.there : nothing, out, nothing);
      }),
      input_(input.here) {
  if (input.there >= 0) ::close(input.there);
}

void Running::end_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

void PrintTo(const Ended& ended, std::ostream* stream) {
  *stream << "exit code " << ended.exit_code << "\n--- standard output\n"
          << ended.out.substr(0, 4000) << "\n--- standard error\n"
          << ended.err.substr(0, 4000);
}

ProgramTest::ProgramTest() {
  std::string name = ::testing::TempDir() + "enfold_cli_XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  folder_ = name;
}

ProgramTest::~ProgramTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void ProgramTest::write(const std::string& name, std::string_view text) const {
  std::ofstream stream(folder_ / name, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  ASSERT_TRUE(stream.flush());
}

std::string ProgramTest::read(const std::string& name) const {
  std::ifstream stream(folder_ / name, std::ios::binary);
  EXPECT_TRUE(stream) << name << " was not written";
  return {std::istreambuf_iterator<char>(stream), {}};
}

Ended ProgramTest::enfold(std::vector<std::string> arguments, std::string input) const {
  return enfold_with(Command{.arguments = std::move(arguments), .input = std::move(input)});
}

Ended ProgramTest::enfold_with(Command command) const {
  if (command.folder.empty()) command.folder = folder_;
  return execute(command);
}

std::string golden(const std::string& file, const std::string& got) {
  const auto path = std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests" / "golden" / file;
  if (std::getenv("ENFOLD_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << got;
  }
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << "cannot read " << path << "; tools/update_golden makes it";
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace enfold::cli

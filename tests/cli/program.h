// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user would, without a shell: arguments and standard input in;
// standard output, standard error, exit code and memory out. A run that hangs is killed.
#pragma once

#include <chrono>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::cli {

struct Ended {
  int exit_code = -1;  ///< 128 + the signal, when one ended it
  std::string out;
  std::string err;
  long peak_kilobytes = 0;
  double processor_seconds = 0;
};

/// Where standard output goes.
enum class Sink { captured, terminal, full_disk, closed, reader_leaves };

struct Command {
  std::vector<std::string> arguments;
  std::string input = {};             ///< standard input
  bool input_never_ends = false;      ///< `input` again and again
  std::filesystem::path folder = {};  ///< to run in
  std::vector<std::string> environment = {};
  Sink sink = Sink::captured;
  bool error_to_terminal = false;  ///< standard error is one; comes out as `err`
  std::size_t largest_file = 0;    ///< bytes that it may write into one file; 0: any number
  bool as_nobody = false;          ///< when the tests run as root, whom no file mode stops
};
[[nodiscard]] Ended execute(const Command& command);

/// A program that runs while the test goes on: without standard input, its errors go nowhere.
class Running {
 public:
  explicit Running(const Command& command);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Takes what it prints for so long, or until it ends.
  void listen(std::chrono::microseconds time);
  void listen_until(std::size_t lines);  ///< … have been printed, or it ends
  void kill();                           ///< kill -9
  void finish();                         ///< waits for its end
  /// What it has printed so far, whole lines only: a kill may have cut the last.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool take_some(Clock::time_point deadline);  ///< false: at its end, or too late
  int output_ = -1;
  int process_ = -1;
  std::string printed_;
};

/// `EXPECT_THAT(ended, ends(0, "out", HasSubstr("err")))`: all three, always.
template <class Out, class Err>
auto ends(int code, const Out& out, const Err& err) {
  return ::testing::AllOf(::testing::Field("exit code", &Ended::exit_code, code),
                          ::testing::Field("standard output", &Ended::out, out),
                          ::testing::Field("standard error", &Ended::err, err));
}

void PrintTo(const Ended& ended, std::ostream* stream);

/// Each test runs in a folder of its own, so that messages name plain files. It is also the home of
/// the program, so that no test touches the archive of whoever runs it.
class ProgramTest : public ::testing::Test {
 public:
  ProgramTest();
  ~ProgramTest() override;
  ProgramTest(const ProgramTest&) = delete;
  ProgramTest& operator=(const ProgramTest&) = delete;

 protected:
  void write(const std::string& name, std::string_view text) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] Ended enfold(std::vector<std::string> arguments, std::string input = {}) const;
  [[nodiscard]] Ended enfold_with(Command command) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// The text of a file of tests/golden, rewritten first when ENFOLD_UPDATE_GOLDEN is set.
[[nodiscard]] std::string golden(const std::string& file, const std::string& got);

}  // namespace enfold::cli

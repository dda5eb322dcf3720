// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user would, without a shell: arguments and standard input in;
// standard output, standard error, exit code and memory out. A run that hangs is killed.
#pragma once

#include "tests/support/killable.h"

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
  bool input_is_terminal = false;     ///< standard input is one, where only Ctrl-D is typed
  std::filesystem::path folder = {};  ///< to run in
  std::vector<std::string> environment = {};
  Sink sink = Sink::captured;
  bool error_to_terminal = false;  ///< standard error is one; comes out as `err`
  std::size_t largest_file = 0;    ///< bytes that it may write into one file; 0: any number
  bool as_nobody = false;          ///< when the tests run as root, whom no file mode stops
};
[[nodiscard]] Ended execute(const Command& command);

/// Runs while the test goes on; its errors go nowhere. Its standard input stays open behind `input`
/// until the test ends it; without `input` there is none.
class Running : public enfold::testing::Killable {
 public:
  explicit Running(const Command& command);
  ~Running() { end_input(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  void end_input();

 private:
  struct Pipe {
    int there = -1;
    int here = -1;
  };
  static Pipe open_input(const Command& command);
  Running(const Command& command, Pipe input);
  int input_ = -1;
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

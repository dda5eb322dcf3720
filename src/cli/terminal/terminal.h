// SPDX-License-Identifier: Apache-2.0
// Standard output for results and standard error for messages; colour only on a terminal.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::cli {

enum class Style : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

/// Opens /dev/null for closed standard streams, so that no other file gets their descriptors.
void open_closed_standard_streams();

/// Untrusted text made safe for a terminal: control characters, which could move the cursor or
/// change earlier output, and invisible characters become visible escapes. Line ends stay, a tab
/// becomes two spaces.
[[nodiscard]] std::string printable(std::string_view text);

/// "1 call", "2 calls": adds an s to `what`.
[[nodiscard]] std::string counted(std::size_t count, std::string_view what);

class Terminal {
 public:
  Terminal();

  void out(std::string_view text);
  void out(const json::Output& json);
  void out_line(const auto& text_or_json) {
    out(text_or_json);
    out("\n");
  }
  void err(std::string_view text);
  void flush();

  /// Prints "error: what", "at where" and "hint: what to do" on standard error. `source`: name of
  /// the file that the error is about; empty: none. Returns exit_code_of(error).
  int report(const Error& error, std::string_view source = {});
  /// Prints an error of the command line in the same way; returns kBadUsage.
  int report_usage(const Error& error);
  /// Prints "warning: text" and "hint: …" on standard error. An empty hint is not printed.
  void warn(std::string_view text, std::string_view hint = {});

  /// Prints a line of a summary on standard output: the label in bold, then the text.
  void out_row(std::string_view label, std::string_view text);

  /// Text in a style if standard output is a terminal and NO_COLOR is not set, else unchanged.
  [[nodiscard]] std::string styled(std::string_view text, Style style) const;

  /// Shows one line on standard error, which replaces the line of the last call; only on a
  /// terminal.
  void progress(std::string_view text);
  /// Removes the line of progress().
  void end_progress();

  /// False after a failed write to standard output: the pipe is closed or the disk is full.
  [[nodiscard]] bool is_open() const { return write_error_ == 0; }

  /// Flushes the output and returns the exit code of a run that ended with `code`: at least
  /// kUnexpected if output could not be written. That is reported, unless the reader has closed the
  /// pipe, as `head` does.
  [[nodiscard]] int finish(int code);

 private:
  void advise(std::string_view hint);

  bool colour_out_ = false;
  bool colour_err_ = false;
  bool progress_shown_ = false;
  int write_error_ = 0;  ///< errno of the first failed write to standard output; 0: none failed
};

/// The exit code of a run that fails with this error.
[[nodiscard]] int exit_code_of(const Error& error);

enum ExitCode : int {
  kOk = 0,
  kUnexpected = 1,   ///< no answer in time, a server that is down, a defect
  kNegative = 2,     ///< an expected negative result: invalid, over budget
  kUnsupported = 3,  ///< Enfold does not support what the input asks for
  kBadInput = 4,
  kBadUsage = 5,
};

}  // namespace enfold::cli

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
/// change earlier output, become visible escapes. Line ends stay.
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

  /// Prints "error: what", "at where" and "hint: what to do". `source`: name of the file; empty:
  /// none. Returns the exit code that the error leads to.
  int report(const Error& error, std::string_view source = {});
  /// The same for an error of the command line; returns kBadUsage.
  int report_usage(const Error& error);
  void warn(std::string_view text, std::string_view hint = {});

  /// A line of a summary: the label in bold, then the text.
  void out_row(std::string_view label, std::string_view text);

  /// Text in a style if standard output is a terminal and NO_COLOR is not set, else unchanged.
  [[nodiscard]] std::string styled(std::string_view text, Style style) const;

  /// One line on standard error that is overwritten; only on a terminal.
  void progress(std::string_view text);
  void end_progress();

  /// False after a failed write to standard output: the pipe is closed or the disk is full.
  [[nodiscard]] bool is_open() const { return broken_ == 0; }

  /// Returns the final exit code of a run that ends with `code`; at least kUnexpected if output
  /// could not be written, which is reported unless the reader closed the pipe, as `head` does.
  [[nodiscard]] int finish(int code);

 private:
  void advise(std::string_view hint);

  bool colour_out_ = false;
  bool colour_err_ = false;
  bool progress_shown_ = false;
  int broken_ = 0;  ///< errno of the first failed write to standard output
};

/// The exit code that an error leads to.
[[nodiscard]] int exit_code_of(const Error& error);

enum ExitCode : int {
  kOk = 0,
  kUnexpected = 1,   ///< no answer in time, a server that is down, a defect
  kNegative = 2,     ///< an expected negative result: invalid, over budget
  kUnsupported = 3,  ///< by Enfold
  kBadInput = 4,
  kBadUsage = 5,
};

}  // namespace enfold::cli

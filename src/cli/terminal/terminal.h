// SPDX-License-Identifier: Apache-2.0
// Standard output and error: results to the one, words to the other, colour only for people.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::cli {

enum class Style : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

/// With a closed standard stream the next file to be opened would take its place.
void keep_standard_streams();

/// Text of strangers made harmless for a terminal: control characters, which could move the cursor
/// or change what was printed before, become visible escapes. Line ends stay.
[[nodiscard]] std::string printable(std::string_view text);

class Terminal {
 public:
  Terminal();

  void out(std::string_view text);
  void out(const json::Output& json);
  void err(std::string_view text);
  void flush();

  /// error: what / at where / hint: what to do. `source` names the file, empty for none.
  void report(const Error& error, std::string_view source = {});
  void warn(std::string_view text, std::string_view hint = {});

  /// Text in a style when standard output is a terminal, as it is otherwise.
  [[nodiscard]] std::string styled(std::string_view text, Style style) const;

  /// One line on standard error that is overwritten; only on a terminal.
  void progress(std::string_view text);
  void end_progress();

  /// False once standard output takes nothing more: its reader has gone, or its disk is full.
  [[nodiscard]] bool is_open() const { return broken_ == 0; }

  /// The last word of a run that ends with `code`: what could not be written is never lost in
  /// silence. A reader that has seen enough, such as `head`, is told nothing.
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

}  // namespace enfold::cli

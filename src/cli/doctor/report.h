// SPDX-License-Identifier: Apache-2.0
// The findings of `enfold doctor`: each is one line, and for a problem a second one with its fix.
#pragma once

#include "cli/terminal/terminal.h"

#include <string>
#include <vector>

namespace enfold::cli {

struct Finding {
  enum class Level : std::uint8_t { ok, note, problem };
  Level level = Level::ok;
  std::string check;  ///< which one: "archive"
  std::string text;
  std::string fix;  ///< what the user should type or do; empty only for `ok`
};

class DoctorReport {
 public:
  // Each adds one finding.
  void ok(std::string check, std::string text);
  /// Works, but could be better.
  void note(std::string check, std::string text, std::string fix);
  void problem(std::string check, std::string text, std::string fix);
  /// A problem that an error describes. `fix` empty: the fix is the error's hint; if it has none,
  /// to edit the file that it names.
  void problem(std::string check, const Error& error, const std::string& fix = {});

  [[nodiscard]] std::size_t problems() const;
  void print(Terminal& terminal) const;
  void print_json(Terminal& terminal) const;

 private:
  std::vector<Finding> findings_;
};

}  // namespace enfold::cli

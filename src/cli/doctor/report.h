// SPDX-License-Identifier: Apache-2.0
// What `enfold doctor` found: one line for each check, and for each problem what to type.
#pragma once

#include "cli/terminal/terminal.h"

#include <string>
#include <vector>

namespace enfold::cli {

struct Finding {
  enum class Level : std::uint8_t { ok, note, problem };
  Level level = Level::ok;
  std::string check;  ///< "archive"
  std::string text;
  std::string fix;  ///< what to type or to do; set for every problem
};

class DoctorReport {
 public:
  void ok(std::string check, std::string text);
  /// Works, but could be better.
  void note(std::string check, std::string text, std::string fix);
  void problem(std::string check, std::string text, std::string fix);
  /// A problem that an error describes. `fix`: empty: its hint, else to edit the place.
  void problem(std::string check, const Error& error, const std::string& fix = {});

  [[nodiscard]] std::size_t problems() const;
  void print(Terminal& terminal) const;
  void print_json(Terminal& terminal) const;

 private:
  std::vector<Finding> findings_;
};

}  // namespace enfold::cli
